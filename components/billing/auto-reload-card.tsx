'use client';

import { useState } from 'react';
import type { Preferences } from '@/server/billing/schema';
import { type Amount, readAmount } from '../dashboard/amount';
import { fieldProblem, problemText } from '../dashboard/problem';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field, Label } from '../ui/field';
import { Input } from '../ui/input';
import { Notice } from '../ui/notice';
import { Switch } from '../ui/switch';
import { toast } from '../ui/toast';
import { ReloadStoppedNotice } from './account-notices';
import { RELOAD_BOUNDS, readPurchaseAmount, writeAmount } from './purchase-amount';
import { type Billing, useSavePreferences } from './queries';
import { ReloadPreview } from './reload-preview';
import { SaveRow } from './save-row';
import { SavedCard } from './saved-card';

const SWITCH_ID = 'auto-reload';
const THRESHOLD = 'Threshold';
const AMOUNT = 'Credit to buy';
/** As the gateway takes it. */
const MAX_THRESHOLD_USD = 10_000;

interface Draft {
  enabled: boolean;
  threshold: string;
  amount: string;
}

interface AutoReloadCardProps {
  billing: Billing;
  preferences: Preferences;
}

/** Credit that buys itself: when, how much, with which card. Nothing of it holds before it is saved. */
export function AutoReloadCard({ billing, preferences }: AutoReloadCardProps) {
  const { saved_card: card, auto_reload_stopped_at: stoppedAt } = preferences;
  return (
    <Card>
      <CardHeader title="Auto-reload" description="Buys credit with the saved card before it runs out." />
      {stoppedAt && (
        <div className="px-4 pt-4 sm:px-5 sm:pt-5">
          <ReloadStoppedNotice stoppedAt={stoppedAt} />
        </div>
      )}
      <CardBody>
        <AutoReloadForm billing={billing} preferences={preferences} />
      </CardBody>
      <SavedCard billing={billing} card={card} />
    </Card>
  );
}

function AutoReloadForm({ billing, preferences }: AutoReloadCardProps) {
  const saved = draftOf(preferences);
  // Null: nothing was changed, and what is saved elsewhere shows here too.
  const [draft, setDraft] = useState<Draft | null>(null);
  const shown = draft ?? saved;
  const save = useSavePreferences(billing);
  const threshold = readThreshold(shown.threshold);
  const amount = readPurchaseAmount(AMOUNT, shown.amount, RELOAD_BOUNDS);
  const valid = 'usd' in threshold && 'usd' in amount;

  function change(part: Partial<Draft>) {
    save.reset();
    const next = { ...shown, ...part };
    setDraft(isSame(next, saved) ? null : next);
  }

  function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!valid) {
      const wrong = 'problem' in threshold ? 'threshold' : 'amount';
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
      return;
    }
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
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-4">
        <Label htmlFor={SWITCH_ID}>Reload automatically</Label>
        <Switch id={SWITCH_ID} checked={shown.enabled} onCheckedChange={(enabled) => change({ enabled })} />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label={THRESHOLD}
          hint="Reload when a call leaves less than this."
          error={fieldProblem(save.error, 'autoReloadThreshold') ?? problemOf(threshold)}
        >
          <Input
            name="threshold"
            value={shown.threshold}
            onChange={(event) => change({ threshold: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
          />
        </Field>
        <Field
          label={AMOUNT}
          hint="In whole cents; the fee comes on top."
          error={fieldProblem(save.error, 'autoReloadAmount') ?? problemOf(amount)}
        >
          <Input
            name="amount"
            value={shown.amount}
            onChange={(event) => change({ amount: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
          />
        </Field>
      </div>
      <ReloadPreview
        enabled={shown.enabled}
        threshold={'usd' in threshold ? threshold.usd : null}
        amount={'usd' in amount ? amount.usd : null}
        card={preferences.saved_card}
      />
      {save.error && <SaveProblem error={save.error} />}
      <SaveRow dirty={draft !== null} busy={save.isPending} onDiscard={() => change(saved)} />
    </form>
  );
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

/** What the fields do not say themselves. */
function SaveProblem({ error }: { error: unknown }) {
  const said = ['autoReloadThreshold', 'autoReloadAmount'].some((field) => fieldProblem(error, field));
  if (said) return null;
  return (
    <Notice tone="danger" live title="Not saved">
      {problemText(error)}
    </Notice>
  );
}
