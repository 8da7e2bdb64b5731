'use client';

import { useState } from 'react';
import type { Preferences } from '@/server/billing/schema';
import { type Amount, readAmount } from '../dashboard/amount';
import { fieldProblem } from '../dashboard/problem';
import { toast } from '../ui/toast';
import { RELOAD_BOUNDS, readPurchaseAmount, writeAmount } from './purchase-amount';
import { type Billing, useSavePreferences } from './queries';

export const THRESHOLD = 'Threshold';
export const AMOUNT = 'Credit to buy';
/** As the gateway takes it. */
const MAX_THRESHOLD_USD = 10_000;

interface Draft {
  enabled: boolean;
  threshold: string;
  amount: string;
}

/** Auto-reload as it is being changed, beside what is saved. */
export function useReloadForm(billing: Billing, preferences: Preferences) {
  const saved = draftOf(preferences);
  // Null: nothing was changed, and what is saved elsewhere shows here too.
  const [draft, setDraft] = useState<Draft | null>(null);
  const save = useSavePreferences(billing);
  const shown = draft ?? saved;
  const threshold = readThreshold(shown.threshold);
  const amount = readPurchaseAmount(AMOUNT, shown.amount, RELOAD_BOUNDS);

  function change(part: Partial<Draft>) {
    save.reset();
    const next = { ...shown, ...part };
    setDraft(isSame(next, saved) ? null : next);
  }

  /** @returns the name of the field that does not hold an amount; null: it is being saved */
  function submit(): keyof Draft | null {
    if ('problem' in threshold) return 'threshold';
    if ('problem' in amount) return 'amount';
    const update = {
      autoReloadEnabled: shown.enabled,
      autoReloadThreshold: threshold.usd,
      autoReloadAmount: amount.usd,
    };
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
    },
    /** What went wrong that no field says. */
    error: refused.threshold || refused.amount ? null : save.error,
  };
}

function draftOf(preferences: Preferences): Draft {
  return {
    enabled: preferences.autoReloadEnabled,
    threshold: writeAmount(preferences.autoReloadThreshold),
    amount: writeAmount(preferences.autoReloadAmount),
  };
}

function isSame(a: Draft, b: Draft): boolean {
  return a.enabled === b.enabled && a.threshold === b.threshold && a.amount === b.amount;
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
