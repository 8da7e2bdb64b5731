import type { Receipt } from '@/server/money/billing/schema';
import { Badge } from '../ui/badge';

/** The state of a payment in a word. */
export function PaymentState({ receipt }: { receipt: Receipt }) {
  if (receipt.disputed_usd > 0) return <Badge tone="danger">Disputed</Badge>;
  if (receipt.refunded_usd >= receipt.total_usd) return <Badge tone="warning">Refunded</Badge>;
  if (receipt.refunded_usd > 0) return <Badge tone="warning">Partly refunded</Badge>;
  return <Badge tone="success">Paid</Badge>;
}
