'use client';

import { useState } from 'react';
import type { Preferences } from '@/server/money/billing/schema';
import { readAmount } from '../shared/amount';
import { fieldProblem, problemText } from '../shared/problem';
import { Segmented } from '../shared/segmented';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Meter } from '../ui/meter';
import { formatMoney, Money } from '../ui/money';
import { toast } from '../ui/toast';
import { writeAmount } from './purchase-amount';
import { type Billing, useSavePreferences } from './queries';
import { SaveRow } from './save-row';

const FIELD = 'Monthly limit';

interface MonthlyLimitCardProps {
  billing: Billing;
  preferences: Preferences;
  /** False for members, who can only view the limit. */
  editable: boolean;
}

/** The spending limit per calendar month and the amount spent. */
export function MonthlyLimitCard({ billing, preferences, editable }: MonthlyLimitCardProps) {
  return (
    <Card>
      <CardHeader
        title="Monthly limit"
        description="Paid calls are refused for the rest of the month once the limit is reached."
      />
      <CardBody className="grid items-start gap-x-10 gap-y-5 lg:grid-cols-2">
        <SpentThisMonth preferences={preferences} />
        {editable && <MonthlyLimitForm billing={billing} preferences={preferences} />}
      </CardBody>
    </Card>
  );
}

function SpentThisMonth({ preferences }: { preferences: Preferences }) {
  const { budgetLimit: limit, spent_this_month_usd: spent } = preferences;
  const reached = limit !== null && spent >= limit;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        <Money usd={spent} className="font-semibold text-lg" />{' '}
        <span className="text-muted">
          {limit === null ? 'spent this month' : <>of {formatMoney(limit)} spent this month</>}
        </span>
      </p>
      {limit !== null && (
        <Meter
          label="Spent this month"
          value={spent}
          max={limit}
          valueText={`${formatMoney(spent)} of ${formatMoney(limit)}`}
        />
      )}
      <p className={reached ? 'font-medium text-danger' : 'text-muted'}>
        {reached && 'Limit reached: paid calls are refused. '}
        Resets on {nextMonth(new Date())}, 00:00 UTC.
      </p>
    </div>
  );
}

function MonthlyLimitForm({ billing, preferences }: { billing: Billing; preferences: Preferences }) {
  const form = useLimitForm(billing, preferences);

  function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!form.submit()) event.currentTarget.querySelector<HTMLInputElement>('[name="limit"]')?.focus();
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Segmented
        legend="Monthly limit"
        value={form.shown.limited ? 'limit' : 'none'}
        options={[
          { value: 'none', label: 'No limit' },
          { value: 'limit', label: 'Limit spending' },
        ]}
        onValueChange={(choice) => form.change({ limited: choice === 'limit' })}
        className="self-start"
      />
      <Field label={FIELD} hint="In dollars per calendar month (UTC)." error={form.problem}>
        <Input
          name="limit"
          value={form.shown.limited ? form.shown.amount : ''}
          onChange={(event) => form.change({ amount: event.target.value })}
          disabled={!form.shown.limited}
          placeholder={form.shown.limited ? undefined : 'No limit'}
          inputMode="decimal"
          autoComplete="off"
        />
      </Field>
      <SaveRow dirty={form.dirty} busy={form.saving} onDiscard={form.discard} />
    </form>
  );
}

interface Draft {
  limited: boolean;
  amount: string;
}

/** The unsaved limit and the saved one. */
function useLimitForm(billing: Billing, preferences: Preferences) {
  const saved = toDraft(preferences);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [tried, setTried] = useState(false);
  const save = useSavePreferences(billing);
  const shown = draft ?? saved;
  const amount = readAmount(FIELD, shown.amount);
  const judged = shown.limited && (tried || shown.amount.trim() !== '');
  const typed = judged && 'problem' in amount ? amount.problem : null;
  const refused = save.error && (fieldProblem(save.error, 'budgetLimit') ?? problemText(save.error));

  function change(part: Partial<Draft>) {
    save.reset();
    setTried(false);
    const next = { ...shown, ...part };
    const same = next.limited === saved.limited && (!next.limited || next.amount === saved.amount);
    setDraft(same ? null : next);
  }

  /** @returns false if the field does not hold an amount */
  function submit(): boolean {
    setTried(true);
    if (shown.limited && 'problem' in amount) return false;
    const budgetLimit = shown.limited && 'usd' in amount ? amount.usd : null;
    const onSuccess = () => {
      setDraft(null);
      toast.success(budgetLimit === null ? 'Monthly limit removed' : 'Monthly limit saved');
    };
    save.mutate({ budgetLimit }, { onSuccess });
    return true;
  }

  return {
    shown,
    change,
    submit,
    discard: () => change(saved),
    dirty: draft !== null,
    saving: save.isPending,
    problem: refused ?? typed,
  };
}

function toDraft({ budgetLimit }: Preferences): Draft {
  return { limited: budgetLimit !== null, amount: budgetLimit === null ? '' : writeAmount(budgetLimit) };
}

/** The first day of the next month: `1 March 2026`. */
function nextMonth(now: Date): string {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return first.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
