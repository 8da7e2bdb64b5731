import type { WebhookEndpoint } from '@/server/notifications/webhooks/schema';
import { Badge } from '../ui/badge';

/** Whether an endpoint receives events, and how it is doing. */
export function EndpointStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, disabled_reason: reason, failing_since: failingSince } = endpoint;
  if (status === 'disabled')
    return reason === 'manual' ? <Badge>Disabled</Badge> : <Badge tone="danger">Disabled: failing</Badge>;
  if (failingSince !== null) return <Badge tone="warning">Failing</Badge>;
  return <Badge tone="success">Enabled</Badge>;
}
