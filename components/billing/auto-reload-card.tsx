'use client';

import type { Preferences } from '@/server/money/billing/schema';
import { problemText } from '../shared/problem';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field, Label } from '../ui/field';
import { Input } from '../ui/input';
import { Notice } from '../ui/notice';
import { Switch } from '../ui/switch';
import { ReloadStoppedNotice } from './account-notices';
import type { Billing } from './queries';
import { ReloadPreview } from './reload-preview';
import { SaveRow } from './save-row';
import { SavedCard } from './saved-card';
import { AMOUNT, DAILY_LIMIT, THRESHOLD, useReloadForm } from './use-reload-form';

const SWITCH_ID = 'auto-reload';

interface AutoReloadCardProps {
  billing: Billing;
  preferences: Preferences;
}

const FIELDS = [
  { name: 'threshold', label: THRESHOLD, hint: 'Reload when a call takes the balance below this.' },
  { name: 'amount', label: AMOUNT, hint: 'In dollars and cents, plus the fee.' },
  {
    name: 'dailyLimit',
    label: DAILY_LIMIT,
    hint: 'Maximum credit per 24 hours, in at most 3 charges per hour and 10 per day.',
  },
] as const;

/** Settings for automatic purchases. Changes take effect when they are saved. */
export function AutoReloadCard({ billing, preferences }: AutoReloadCardProps) {
  const {
    saved_card: card,
    auto_reload_stopped_at: stoppedAt,
    auto_reload_stopped_reason: reason,
  } = preferences;
  return (
    <Card className="flex flex-col">
      <CardHeader title="Auto-reload" description="Buys credit with the saved card before it runs out." />
      {stoppedAt && (
        <div className="px-4 pt-4 sm:px-5 sm:pt-5">
          <ReloadStoppedNotice stoppedAt={stoppedAt} reason={reason} />
        </div>
      )}
      <CardBody className="grow">
        <AutoReloadForm billing={billing} preferences={preferences} />
      </CardBody>
      <SavedCard billing={billing} card={card} />
    </Card>
  );
}

function AutoReloadForm({ billing, preferences }: AutoReloadCardProps) {
  const form = useReloadForm(billing, preferences);

  function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const wrong = form.submit();
    if (wrong) event.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-4">
        <Label htmlFor={SWITCH_ID}>Reload automatically</Label>
        <Switch
          id={SWITCH_ID}
          checked={form.shown.enabled}
          onCheckedChange={(enabled) => form.change({ enabled })}
        />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {FIELDS.map(({ name, label, hint }) => (
          <Field key={name} label={label} hint={hint} error={form.problems[name]}>
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
