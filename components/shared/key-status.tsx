import type { ApiKey } from '@/server/identity/keys/schema';
import { Badge } from '../ui/badge';
import { DateTime } from '../ui/date-time';

/** From then on an expiry is shown as a warning. */
const WARN_BEFORE_MS = 7 * 24 * 3_600_000;

interface KeyStatusProps {
  apiKey: Pick<ApiKey, 'status' | 'credits' | 'expires_at' | 'expired'>;
}

/** Whether a key is active, expires soon, and whether its allowance is used up. */
export function KeyStatus({ apiKey: { status, credits, expires_at, expired } }: KeyStatusProps) {
  if (status === 'revoked') return <Badge>Revoked</Badge>;
  if (expired)
    return (
      <Badge tone="danger" title="Every request is refused. Set a later expiry in its rules.">
        Expired
      </Badge>
    );
  if (expires_at !== null && new Date(expires_at).getTime() < Date.now() + WARN_BEFORE_MS)
    return (
      <Badge tone="warning">
        Expires <DateTime at={expires_at} />
      </Badge>
    );
  if (credits !== null && credits <= 0)
    return (
      <Badge tone="warning" title="It can still call free skills. Add credits for paid ones.">
        Used up
      </Badge>
    );
  return <Badge tone="success">Active</Badge>;
}
