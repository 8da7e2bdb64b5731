'use client';

import { MAX_DESCRIPTION_LENGTH, MAX_URL_LENGTH } from '@/server/notifications/webhooks/limits';
import type { WebhookEndpoint } from '@/server/notifications/webhooks/schema';
import { EVENT_TYPES, type WebhookEventType } from '@/server/platform/webhooks/limits';
import { DialogForm } from '../shared/dialog-form';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Checkbox } from '../ui/checkbox';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

const MEANINGS: Record<WebhookEventType, string> = {
  'job.completed': 'A job has a result',
  'job.failed': 'A job failed',
  'job.cancelled': 'A job was cancelled',
  'key.claimed': 'A person claimed a key',
  'key.expiring': 'A key is about to expire',
  'balance.low': 'Credit is running low',
  'spending_limit.reached': 'The monthly limit is spent, or a spending limit refused a call',
  'auto_recharge.failed': 'Auto-recharge could not buy credit',
};

export interface EndpointValues {
  url: string;
  description: string;
  events: WebhookEventType[];
}

interface EndpointFormProps {
  initial?: WebhookEndpoint | undefined;
  confirmLabel: string;
  onSend: (values: EndpointValues) => Promise<void>;
}

/** The fields of an endpoint. */
export function EndpointForm({ initial, confirmLabel, onSend }: EndpointFormProps) {
  const labels = { url: 'URL', description: 'Description', events: 'Events' };
  const form = useSubmit(labels, async (read, element) => {
    const url = read('url');
    if (url === '') throw new InputProblem('Enter the URL of your endpoint.', 'url');
    const chosen = new FormData(element).getAll('events').map(String);
    const events = EVENT_TYPES.filter((type) => chosen.includes(type));
    if (events.length === 0) throw new InputProblem('Choose at least one event.', 'events');
    await onSend({ url, description: read('description'), events });
  });
  const problem = form.fieldError('events');
  return (
    <DialogForm form={form} confirmLabel={confirmLabel} autoComplete="off">
      <Field label={labels.url} hint="An https address that accepts POST." error={form.fieldError('url')}>
        <Input
          name="url"
          type="url"
          maxLength={MAX_URL_LENGTH}
          defaultValue={initial?.url}
          placeholder="https://example.com/hooks"
        />
      </Field>
      <Field label={labels.description} optional error={form.fieldError('description')}>
        <Input
          name="description"
          maxLength={MAX_DESCRIPTION_LENGTH}
          defaultValue={initial?.description ?? undefined}
        />
      </Field>
      <fieldset className="flex flex-col gap-2.5" aria-describedby={problem ? 'events-problem' : undefined}>
        <legend className="mb-2 font-medium text-sm">{labels.events}</legend>
        {EVENT_TYPES.map((type) => (
          <Checkbox
            key={type}
            name="events"
            value={type}
            defaultChecked={initial?.events.includes(type)}
            label={<code className="font-mono">{type}</code>}
            hint={MEANINGS[type]}
          />
        ))}
        <p id="events-problem" role="alert" className="text-danger text-sm empty:hidden">
          {problem}
        </p>
      </fieldset>
    </DialogForm>
  );
}
