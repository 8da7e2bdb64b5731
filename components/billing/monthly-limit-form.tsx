'use client';

import { useEffect, useRef, useState } from 'react';
import type { Preferences } from '@/server/money/billing/schema';
import { readAmount } from '../shared/amount';
import { fieldProblem, problemText } from '../shared/problem';
import { Segmented } from '../shared/segmented';
import { Field, Label } from '../ui/field';
import { Input } from '../ui/input';
import { Meter } from '../ui/meter';
import { formatCents, formatMoney, Money } from '../ui/money';
import { Switch } from '../ui/switch';
import { toast } from '../ui/toast';
import { writeAmount } from './purchase-amount';
import { type Billing, useSavePreferences } from './queries';
import { SaveRow } from './save-row';

const FIELD = 'Monthly limit';
/** Links to raise the limit lead here. */
const LIMIT_ID = 'monthly-limit';
const ALERTS_ID = 'limit-alerts';

/** What was spent this month, of the limit. */
export function SpentThisMonth({ preferences }: { preferences: Preferences }) {
  const { budgetLimit: limit, spent_this_month_usd: spent } = preferences;
  const reached = limit !== null && spent >= limit;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        <Money usd={spent} headline className="font-semibold text-lg" />{' '}
        <span className="text-muted">
          {limit === null ? 'spent this month' : <>of {formatMoney(limit)} spent this month</>}
        </span>
      </p>
      {limit !== null && (
        <Meter
          label="Spent this month"
          value={spent}
          max={limit}
          valueText={`${formatCents(spent)} of ${formatMoney(limit)}`}
        />
      )}
      {reached && <p className="font-medium text-danger">Limit reached: paid calls are refused.</p>}
    </div>
  );
}

/** The spending limit per calendar month, and its alerts. */
export function MonthlyLimitForm({ billing, preferences }: { billing: Billing; preferences: Preferences }) {
  const form = useLimitForm(billing, preferences);
  const max = preferences.budgetLimitMax;
  const input = useRef<HTMLInputElement>(null);
  // A link within the dashboard scrolls to its target, but does not focus it.
  useEffect(() => {
    if (location.hash === `#${LIMIT_ID}`) input.current?.focus();
  }, []);

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
          ...(max === null ? [{ value: 'none' as const, label: 'No limit' }] : []),
          { value: 'limit', label: 'Limit spending' },
        ]}
        onValueChange={(choice) => form.change({ limited: choice === 'limit' })}
        className="self-start"
      />
      <Field
        label={FIELD}
        hint={`In dollars${max === null ? '' : `, at most ${formatMoney(max)}`}.`}
        error={form.problem}
      >
        <Input
          ref={input}
          id={LIMIT_ID}
          name="limit"
          value={form.shown.limited ? form.shown.amount : ''}
          onChange={(event) => form.change({ amount: event.target.value })}
          disabled={!form.shown.limited}
          placeholder={form.shown.limited ? undefined : 'No limit'}
          inputMode="decimal"
          autoComplete="off"
        />
      </Field>
      <div className="flex items-center justify-between gap-4">
        <div>
          <Label htmlFor={ALERTS_ID}>Email alerts</Label>
          <p id={`${ALERTS_ID}-hint`} className="text-muted text-sm">
            At 50, 80 and 100% of this limit, and when a money limit of a key or member begins to refuse
            calls.
          </p>
        </div>
        <Switch
          id={ALERTS_ID}
          aria-describedby={`${ALERTS_ID}-hint`}
          checked={form.shown.alerts}
          onCheckedChange={(alerts) => form.change({ alerts })}
        />
      </div>
      <SaveRow dirty={form.dirty} busy={form.saving} onDiscard={form.discard} />
    </form>
  );
}

interface Draft {
  limited: boolean;
  amount: string;
  alerts: boolean;
}

/** The unsaved limit and the saved one. */
function useLimitForm(billing: Billing, preferences: Preferences) {
  const saved = toDraft(preferences);
  // Holds only what differs, so that saving keeps what another admin has changed since.
  const [draft, setDraft] = useState<Partial<Draft>>({});
  const [tried, setTried] = useState(false);
  const save = useSavePreferences(billing);
  const shown = { ...saved, ...draft };
  const amount = readAmount(FIELD, shown.amount);
  const judged = shown.limited && (tried || shown.amount.trim() !== '');
  const typed = judged && 'problem' in amount ? amount.problem : null;
  const refused = save.error && (fieldProblem(save.error, 'budgetLimit') ?? problemText(save.error));

  function change(part: Partial<Draft>) {
    save.reset();
    setTried(false);
    const { limited, amount, alerts } = { ...shown, ...part };
    setDraft({
      ...(!isSameLimit({ limited, amount }, saved) && { limited, amount }),
      ...(alerts !== saved.alerts && { alerts }),
    });
  }

  /** @returns false if the field does not hold an amount */
  function submit(): boolean {
    setTried(true);
    if (shown.limited && 'problem' in amount) return false;
    const budgetLimit = shown.limited && 'usd' in amount ? amount.usd : null;
    const limits = draft.limited !== undefined;
    const onSuccess = () => {
      setDraft({});
      toast.success(
        !limits
          ? 'Email alerts saved'
          : budgetLimit === null
            ? 'Monthly limit removed'
            : 'Monthly limit saved',
      );
    };
    save.mutate(
      { ...(limits && { budgetLimit }), ...(draft.alerts !== undefined && { budgetAlerts: draft.alerts }) },
      { onSuccess },
    );
    return true;
  }

  return {
    shown,
    change,
    submit,
    discard: () => change(saved),
    dirty: Object.keys(draft).length > 0,
    saving: save.isPending,
    problem: refused ?? typed,
  };
}

type Limit = Omit<Draft, 'alerts'>;

function isSameLimit(a: Limit, b: Limit): boolean {
  return a.limited === b.limited && (!a.limited || a.amount === b.amount);
}

function toDraft({ budgetLimit, budgetAlerts: alerts }: Preferences): Draft {
  const amount = budgetLimit === null ? '' : writeAmount(budgetLimit);
  return { limited: budgetLimit !== null, amount, alerts };
}
