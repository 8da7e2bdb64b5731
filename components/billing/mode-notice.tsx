import type { PurchaseTerms } from '@/server/billing/schema';
import { Notice } from '../ui/notice';

/** On every page about money that is not real. Printed too: a receipt of it must not pass for one. */
export function ModeNotice({ mode }: { mode: PurchaseTerms['mode'] }) {
  if (mode === 'standin')
    return (
      <Notice tone="warning" title="Pretend money">
        This gateway runs on a stand-in for Stripe. No card is charged.
      </Notice>
    );
  if (mode === 'test')
    return (
      <Notice tone="warning" title="Test mode">
        Payments go to Stripe’s test mode. No card is charged.
      </Notice>
    );
  return null;
}
