import type { ApiKey } from '@/server/identity/keys/schema';
import { Badge } from '../ui/badge';

/** Whether a key is active, and whether its allowance is used up. */
export function KeyStatus({ apiKey: { status, credits } }: { apiKey: Pick<ApiKey, 'status' | 'credits'> }) {
  if (status === 'revoked') return <Badge>Revoked</Badge>;
  if (credits !== null && credits <= 0)
    return (
      <Badge tone="warning" title="It can still call free skills. Add credits for paid ones.">
        Used up
      </Badge>
    );
  return <Badge tone="success">Active</Badge>;
}
