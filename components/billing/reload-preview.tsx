'use client';

import { RELOADS_PER_HOUR } from '@/server/money/billing/limits';
import type { Preferences } from '@/server/money/billing/schema';
import { formatMoney } from '../ui/money';
import { cardName, isExpired } from './card-words';
import { useQuote } from './queries';

interface ReloadPreviewProps {
  enabled: boolean;
  /** Null if the field does not hold an amount. */
  threshold: number | null;
  amount: number | null;
  card: Preferences['saved_card'];
}

/** Describes in a sentence what the settings will do. */
export function ReloadPreview({ enabled, threshold, amount, card }: ReloadPreviewProps) {
  const total = useQuote(enabled && card ? amount : null).data?.total_usd;
  return (
    <p role="status" className="min-h-15 text-sm lg:min-h-10">
      {previewText({ enabled, threshold, amount, card, total })}
    </p>
  );
}

function previewText(at: ReloadPreviewProps & { total: number | undefined }): string {
  if (!at.enabled) return 'Off: no automatic purchases. Paid calls are refused when the credit is used up.';
  if (!at.card) return 'No card is saved: nothing will be charged. Save one with your next purchase.';
  if (at.threshold === null || at.amount === null) return 'Enter both amounts to see a preview.';
  const card = `your ${cardName(at.card)}`;
  const charged = at.total === undefined ? '' : ` ${formatMoney(at.total)}`;
  const expired = isExpired(at.card, new Date()) ? ' It has expired: the charge will be declined.' : '';
  const repeated =
    at.amount < at.threshold
      ? ` If the balance is still below ${formatMoney(at.threshold)}, the next call charges it again; after ${RELOADS_PER_HOUR} charges in an hour, auto-recharge turns off.`
      : '';
  return `When a call takes the balance below ${formatMoney(at.threshold)}, ${card} is charged${charged} for ${formatMoney(at.amount)} of credit, once.${repeated}${expired}`;
}
