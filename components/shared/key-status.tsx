import type { ApiKey } from '@/server/identity/keys/schema';
import type { BlockedKey } from '@/server/usage/schema';
import { Badge } from '../ui/badge';
import { DateTime } from '../ui/date-time';

/** From then on an expiry is shown as a warning. */
const WARN_BEFORE_MS = 7 * 24 * 3_600_000;

interface KeyStatusProps {
  apiKey: Pick<ApiKey, 'status' | 'credits' | 'spend_limit' | 'expires_at' | 'expired'>;
  /** The limit that refuses its calls now, if known. */
  blocked?: BlockedKey | undefined;
}

/** Whether a key can call: what refuses its calls now comes before an expiry to come. */
export function KeyStatus({ apiKey, blocked }: KeyStatusProps) {
  const { status, credits, spend_limit: limit, expires_at, expired } = apiKey;
  if (status === 'revoked') return <Badge>Revoked</Badge>;
  if (expired)
    return (
      <Badge tone="danger" title="Every request is refused. Set a later expiry in its rules.">
        Expired
      </Badge>
    );
  if (credits !== null && credits <= 0)
    return (
      <Badge tone="warning" title="It can still call free skills. Add credits for paid ones.">
        Used up
      </Badge>
    );
  if (limit !== null && limit.spent_usd >= limit.amount_usd)
    return (
      <Badge
        tone="warning"
        title="It can still call free skills. Paid ones are refused until the limit resets."
      >
        Limit reached
      </Badge>
    );
  if (blocked)
    return (
      <Badge tone="warning">
        {blocked.error_code === 'INSUFFICIENT_CREDITS' ? 'Out of credit' : 'Limit reached'}
      </Badge>
    );
  if (expires_at !== null && new Date(expires_at).getTime() < Date.now() + WARN_BEFORE_MS)
    return (
      <Badge tone="warning">
        Expires <DateTime at={expires_at} format="age" />
      </Badge>
    );
  return <Badge tone="success">Active</Badge>;
}
