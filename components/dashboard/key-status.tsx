import type { ApiKey } from '@/server/keys/schema';
import { Badge } from '../ui/badge';

export function KeyStatus({ status }: { status: ApiKey['status'] }) {
  return status === 'active' ? <Badge tone="success">Active</Badge> : <Badge>Revoked</Badge>;
}
