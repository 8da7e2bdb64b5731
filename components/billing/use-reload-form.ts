'use client';

import { useState } from 'react';
import { DAILY_RELOAD_BOUNDS, MAX_THRESHOLD_USD, RELOAD_BOUNDS } from '@/server/money/billing/limits';
import type { Preferences, PreferencesUpdate } from '@/server/money/billing/schema';
import { type Amount, readAmount } from '../shared/amount';
import { fieldProblem } from '../shared/problem';
import { formatMoney } from '../ui/money';
import { toast } from '../ui/toast';
import { readPurchaseAmount, writeAmount } from './purchase-amount';
import { type Billing, useSavePreferences } from './queries';

export const THRESHOLD = 'Threshold';
export const AMOUNT = 'Credit to buy';
export const DAILY_LIMIT = 'Daily recharge limit';

interface Draft {
  enabled: boolean;
  threshold: string;
  amount: string;
  dailyLimit: string;
}

/** The unsaved auto-recharge settings and the saved ones. */
export function useReloadForm(billing: Billing, preferences: Preferences) {
  const saved = toDraft(preferences);
  // Null means unchanged: then changes saved elsewhere show here too.
  const [draft, setDraft] = useState<Draft | null>(null);
  const save = useSavePreferences(billing);
  const shown = draft ?? saved;
  const threshold = readThreshold(shown.threshold);
  const amount = readPurchaseAmount(AMOUNT, shown.amount, RELOAD_BOUNDS);
  const dailyLimit = atLeast(
    DAILY_LIMIT,
    readPurchaseAmount(DAILY_LIMIT, shown.dailyLimit, DAILY_RELOAD_BOUNDS),
    AMOUNT,
    amount,
  );

  function change(part: Partial<Draft>) {
    save.reset();
    const next = { ...shown, ...part };
    setDraft(isSame(next, saved) ? null : next);
  }

  /** @returns the name of the first invalid field; null if the form is being saved */
  function submit(): keyof Draft | null {
    // Turning auto-recharge off is allowed even if the amounts are invalid.
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
        toast.success('Auto-recharge saved');
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
    /** Each amount; null if its field does not hold one. */
    usd: {
      threshold: 'usd' in threshold ? threshold.usd : null,
      amount: 'usd' in amount ? amount.usd : null,
    },
    problems: {
      threshold: refused.threshold ?? getProblem(threshold),
      amount: refused.amount ?? getProblem(amount),
      dailyLimit: refused.dailyLimit ?? getProblem(dailyLimit),
    },
    /** The error of the last save, unless a field already shows it. */
    error: refused.threshold || refused.amount || refused.dailyLimit ? null : save.error,
  };
}

function toDraft(preferences: Preferences): Draft {
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

/** Requires an amount to be at least that of another field. */
function atLeast(field: string, amount: Amount, otherField: string, other: Amount): Amount {
  if ('usd' in amount && 'usd' in other && amount.usd < other.usd)
    return { problem: `${field}: at least the ${otherField.toLowerCase()}, ${formatMoney(other.usd)}.` };
  return amount;
}

function readThreshold(text: string): Amount {
  const amount = readAmount(THRESHOLD, text);
  if ('usd' in amount && amount.usd > MAX_THRESHOLD_USD)
    return { problem: `${THRESHOLD}: the maximum is ${formatMoney(MAX_THRESHOLD_USD)}.` };
  return amount;
}

function getProblem(amount: Amount): string | null {
  return 'problem' in amount ? amount.problem : null;
}
