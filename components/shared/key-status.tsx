import type { ApiKey } from '@/server/identity/keys/schema';
import { Badge } from '../ui/badge';

/** Whether a key works, and whether it may still spend. */
export function KeyStatus({ apiKey: { status, credits } }: { apiKey: Pick<ApiKey, 'status' | 'credits'> }) {
  if (status === 'revoked') return <Badge>Revoked</Badge>;
  if (credits !== null && credits <= 0)
    return (
      <Badge tone="warning" title="It may still call free skills. Add credits to it for the others.">
        Used up
      </Badge>
    );
  return <Badge tone="success">Active</Badge>;
}
