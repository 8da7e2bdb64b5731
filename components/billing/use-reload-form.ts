'use client';

import { useState } from 'react';
import type { Preferences, PreferencesUpdate } from '@/server/money/billing/schema';
import { type Amount, readAmount } from '../shared/amount';
import { fieldProblem } from '../shared/problem';
import { formatMoney } from '../ui/money';
import { toast } from '../ui/toast';
import { type AmountBounds, RELOAD_BOUNDS, readPurchaseAmount, writeAmount } from './purchase-amount';
import { type Billing, useSavePreferences } from './queries';

export const THRESHOLD = 'Threshold';
export const AMOUNT = 'Credit to buy';
export const DAILY_LIMIT = 'Daily limit';
/** As the gateway takes it. */
const MAX_THRESHOLD_USD = 10_000;
const DAILY_BOUNDS: AmountBounds = { min_usd: 1, max_usd: 5_000 };

interface Draft {
  enabled: boolean;
  threshold: string;
  amount: string;
  dailyLimit: string;
}

/** Auto-reload as it is being changed, beside what is saved. */
export function useReloadForm(billing: Billing, preferences: Preferences) {
  const saved = draftOf(preferences);
  // Null: nothing was changed, and what is saved elsewhere shows here too.
  const [draft, setDraft] = useState<Draft | null>(null);
  const save = useSavePreferences(billing);
  const shown = draft ?? saved;
  const threshold = readThreshold(shown.threshold);
  const amount = atLeast(
    AMOUNT,
    readPurchaseAmount(AMOUNT, shown.amount, RELOAD_BOUNDS),
    THRESHOLD,
    threshold,
  );
  const dailyLimit = atLeast(
    DAILY_LIMIT,
    readPurchaseAmount(DAILY_LIMIT, shown.dailyLimit, DAILY_BOUNDS),
    AMOUNT,
    amount,
  );

  function change(part: Partial<Draft>) {
    save.reset();
    const next = { ...shown, ...part };
    setDraft(isSame(next, saved) ? null : next);
  }

  /** @returns the name of the field that does not hold an amount; null: it is being saved */
  function submit(): keyof Draft | null {
    // Nothing of what is off can buy, and it is switched off whatever its amounts are.
    if (shown.enabled || !isSame({ ...shown, enabled: saved.enabled }, saved)) {
      if ('problem' in threshold) return 'threshold';
      if ('problem' in amount) return 'amount';
      if ('problem' in dailyLimit) return 'dailyLimit';
    }
    const update: PreferencesUpdate = { autoReloadEnabled: shown.enabled };
    if (shown.threshold !== saved.threshold && 'usd' in threshold) update.autoReloadThreshold = threshold.usd;
    if (shown.amount !== saved.amount && 'usd' in amount) update.autoReloadAmount = amount.usd;
    if (shown.dailyLimit !== saved.dailyLimit && 'usd' in dailyLimit)
      update.autoReloadDailyLimit = dailyLimit.usd;
    save.mutate(update, {
      onSuccess: () => {
        setDraft(null);
        toast.success('Auto-reload saved');
      },
    });
    return null;
  }

  const refused = {
    threshold: fieldProblem(save.error, 'autoReloadThreshold'),
    amount: fieldProblem(save.error, 'autoReloadAmount'),
    dailyLimit: fieldProblem(save.error, 'autoReloadDailyLimit'),
  };
  return {
    shown,
    change,
    submit,
    discard: () => change(saved),
    dirty: draft !== null,
    saving: save.isPending,
    /** Null where a field does not hold an amount. */
    usd: {
      threshold: 'usd' in threshold ? threshold.usd : null,
      amount: 'usd' in amount ? amount.usd : null,
    },
    problems: {
      threshold: refused.threshold ?? problemOf(threshold),
      amount: refused.amount ?? problemOf(amount),
      dailyLimit: refused.dailyLimit ?? problemOf(dailyLimit),
    },
    /** What went wrong that no field says. */
    error: refused.threshold || refused.amount || refused.dailyLimit ? null : save.error,
  };
}

function draftOf(preferences: Preferences): Draft {
  return {
    enabled: preferences.autoReloadEnabled,
    threshold: writeAmount(preferences.autoReloadThreshold),
    amount: writeAmount(preferences.autoReloadAmount),
    dailyLimit: writeAmount(preferences.autoReloadDailyLimit),
  };
}

function isSame(a: Draft, b: Draft): boolean {
  return (
    a.enabled === b.enabled &&
    a.threshold === b.threshold &&
    a.amount === b.amount &&
    a.dailyLimit === b.dailyLimit
  );
}

/** An amount that must not be under that of another field. */
function atLeast(field: string, amount: Amount, otherField: string, other: Amount): Amount {
  if ('usd' in amount && 'usd' in other && amount.usd < other.usd)
    return { problem: `${field}: at least the ${otherField.toLowerCase()}, ${formatMoney(other.usd)}.` };
  return amount;
}

function readThreshold(text: string): Amount {
  const amount = readAmount(THRESHOLD, text);
  if ('usd' in amount && amount.usd > MAX_THRESHOLD_USD)
    return { problem: `${THRESHOLD}: the most is $10,000.00.` };
  return amount;
}

function problemOf(amount: Amount): string | null {
  return 'problem' in amount ? amount.problem : null;
}
