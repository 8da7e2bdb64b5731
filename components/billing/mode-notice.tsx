import type { PurchaseTerms } from '@/server/money/billing/schema';
import { Notice } from '../ui/notice';

/** On every page about money that is not real. Not on paper: a receipt says it of itself. */
export function ModeNotice({ mode }: { mode: PurchaseTerms['mode'] }) {
  if (mode === 'standin')
    return (
      <Notice tone="warning" className="print:hidden">
        <span className="font-medium">Pretend money:</span> this gateway runs on a stand-in for Stripe. No
        card is charged.
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
