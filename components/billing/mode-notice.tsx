import type { PurchaseTerms } from '@/server/money/billing/schema';
import { Notice } from '../ui/notice';

/**
 * Shown on every billing page in test mode. Hidden in print: receipts state the mode themselves.
 */
export function ModeNotice({ mode }: { mode: PurchaseTerms['mode'] }) {
  if (mode === 'fake')
    return (
      <Notice tone="warning" className="print:hidden">
        <span className="font-medium">Test mode:</span> payments are simulated. No card is charged.
      </Notice>
    );
  if (mode === 'test')
    return (
      <Notice tone="warning" className="print:hidden">
        <span className="font-medium">Test mode:</span> payments go to Stripe’s test mode. No card is charged.
      </Notice>
    );
  return null;
}
