'use client';

import { describeFee } from '@/server/money/billing/limits';
import type { Preferences, PurchaseTerms } from '@/server/money/billing/schema';
import { problemText } from '../shared/problem';
import { Field, Label } from '../ui/field';
import { Input } from '../ui/input';
import { Notice } from '../ui/notice';
import { Switch } from '../ui/switch';
import type { Billing } from './queries';
import { ReloadPreview } from './reload-preview';
import { SaveRow } from './save-row';
import { AMOUNT, DAILY_LIMIT, THRESHOLD, useReloadForm } from './use-reload-form';

const SWITCH_ID = 'auto-recharge';

interface AutoRechargeFormProps {
  billing: Billing;
  preferences: Preferences;
  terms: PurchaseTerms;
}

/** Labels, hints and inputs of neighbours on the same lines, however long a hint is. */
const ALIGNED = 'sm:row-span-4 sm:grid sm:grid-rows-subgrid';
const FIELDS = [
  { name: 'threshold', label: THRESHOLD, className: ALIGNED, hint: 'Recharge below this balance.' },
  { name: 'amount', label: AMOUNT, className: ALIGNED, hint: 'In dollars and cents, plus the fee' },
  {
    name: 'dailyLimit',
    label: DAILY_LIMIT,
    hint: 'The most credit to buy in 24 hours.',
    className: 'sm:col-span-2 sm:mt-2.5',
  },
] as const;

/** Settings for automatic purchases. Changes take effect when they are saved. */
export function AutoRechargeForm({ billing, preferences, terms }: AutoRechargeFormProps) {
  const form = useReloadForm(billing, preferences);

  function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const wrong = form.submit();
    if (wrong) event.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-4">
        <Label htmlFor={SWITCH_ID}>Recharge automatically</Label>
        <Switch
          id={SWITCH_ID}
          checked={form.shown.enabled}
          onCheckedChange={(enabled) => form.change({ enabled })}
        />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2 sm:gap-y-1.5">
        {FIELDS.map(({ name, label, hint, className }) => (
          <Field
            key={name}
            label={label}
            hint={name === 'amount' ? `${hint}: ${describeFee(terms)}.` : hint}
            error={form.problems[name]}
            className={className}
          >
            <Input
              name={name}
              value={form.shown[name]}
              onChange={(event) => form.change({ [name]: event.target.value })}
              inputMode="decimal"
              autoComplete="off"
            />
          </Field>
        ))}
      </div>
      <ReloadPreview enabled={form.shown.enabled} {...form.usd} card={preferences.saved_card} />
      {form.error && (
        <Notice tone="danger" live title="Could not save">
          {problemText(form.error)}
        </Notice>
      )}
      <SaveRow dirty={form.dirty} busy={form.saving} onDiscard={form.discard} />
    </form>
  );
}
