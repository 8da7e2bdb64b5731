'use client';

import { useQuery } from '@tanstack/react-query';
import { CALL_WINDOWS } from '@/server/core/limits/limits';
import { MAX_TAGS } from '@/server/identity/keys/limits';
import type { ApiKey } from '@/server/identity/keys/schema';
import { writeAmount } from '../shared/amount';
import { trpc } from '../shared/trpc-provider';
import type { Submit } from '../shared/use-submit';
import { DateTime } from '../ui/date-time';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { MomentField } from '../ui/moment-field';
import { formatCents, formatMoney } from '../ui/money';
import { Select } from '../ui/select';
import { RULE_LABELS } from './read-rules';
import { ToolsPicker } from './tools-picker';

interface KeyRulesFieldsProps {
  /** The key as it is; undefined for a new one. */
  apiKey?: ApiKey | undefined;
  /** The team that gets a new key. */
  billing?: string | undefined;
  /** A tool or skill that a call asked for and the rules refused. */
  refused?: string | undefined;
  fieldError: Submit<keyof typeof RULE_LABELS>['fieldError'];
}

/** What a key may spend in a period and call, which most people set. Empty: no limit. */
export function MainRulesFields({ apiKey, refused, fieldError }: KeyRulesFieldsProps) {
  return (
    <>
      {apiKey?.spend_limit && (
        <p className="text-muted text-sm">
          Now {formatMoney(apiKey.spend_limit.amount_usd)} a {apiKey.spend_limit.period}:{' '}
          {formatCents(apiKey.spend_limit.spent_usd)} used, resets{' '}
          <DateTime at={apiKey.spend_limit.resets_at} format="exact" />.
        </p>
      )}
      <div className="grid grid-cols-[1fr_auto] items-end gap-3">
        <Field
          label={RULE_LABELS['spend_limit.amount_usd']}
          optional
          hint="In dollars per calendar day, week (from Monday) or month, in UTC."
          error={fieldError('spend_limit.amount_usd')}
        >
          <Input
            name="spend_limit.amount_usd"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={apiKey?.spend_limit ? writeAmount(apiKey.spend_limit.amount_usd) : undefined}
          />
        </Field>
        <Field label="Period">
          <Select name="spend_limit.period" defaultValue={apiKey?.spend_limit?.period ?? 'month'}>
            <option value="day">A day</option>
            <option value="week">A week</option>
            <option value="month">A month</option>
          </Select>
        </Field>
      </div>
      <ToolsPicker
        label={RULE_LABELS.allowed_tools}
        name="allowed_tools"
        initial={apiKey?.allowed_tools ?? []}
        refused={refused}
        error={fieldError('allowed_tools')}
      />
    </>
  );
}

/** The other fields of the rules of a key. An empty field is no rule. */
export function OtherRulesFields({ apiKey, billing, fieldError }: KeyRulesFieldsProps) {
  return (
    <>
      <Field
        label={RULE_LABELS.expires_at}
        hint="From then on the key is refused. In your time zone."
        error={fieldError('expires_at')}
      >
        <MomentField name="expires_at" defaultValue={apiKey?.expires_at ?? null} />
      </Field>
      <Field
        label={RULE_LABELS.allowed_ips}
        optional
        hint="Such as 203.0.113.0/24, separated by commas."
        error={fieldError('allowed_ips')}
      >
        <Input name="allowed_ips" autoComplete="off" defaultValue={apiKey?.allowed_ips?.join(', ')} />
      </Field>
      <RateFields apiKey={apiKey} billing={billing} fieldError={fieldError} />
      <Field
        label={RULE_LABELS.tags}
        optional
        hint={`Up to ${MAX_TAGS}, separated by commas. Usage can be filtered by them.`}
        error={fieldError('tags')}
      >
        <Input name="tags" autoComplete="off" defaultValue={apiKey?.tags.join(', ')} />
      </Field>
    </>
  );
}

const RATES = [...CALL_WINDOWS.map(({ field }) => field), 'concurrent'] as const;

function RateFields({ apiKey, billing, fieldError }: KeyRulesFieldsProps) {
  const target = apiKey ? { id: apiKey.id } : { billing };
  // The limits of the account, which apply where a field is empty.
  const account = useQuery({
    queryKey: ['key limits', target],
    queryFn: ({ signal }) => trpc.keys.limits.query(target, { signal }),
  }).data;
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {RATES.map((rate) => (
        <Field
          key={rate}
          label={RULE_LABELS[`rate_limits.${rate}`]}
          error={fieldError(`rate_limits.${rate}`)}
        >
          <Input
            name={`rate_limits.${rate}`}
            inputMode="numeric"
            autoComplete="off"
            placeholder={account && `${account[rate]}`}
            defaultValue={apiKey?.rate_limits?.[rate] ?? undefined}
          />
        </Field>
      ))}
    </div>
  );
}
