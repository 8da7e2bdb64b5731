import { MAX_TAGS } from '@/server/identity/keys/limits';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { Submit } from '../shared/use-submit';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { RULE_LABELS } from './read-rules';

interface KeyRulesFieldsProps {
  /** The key as it is; undefined for a new one. */
  apiKey?: ApiKey | undefined;
  fieldError: Submit<keyof typeof RULE_LABELS>['fieldError'];
}

/** The fields of the rules of a key. An empty field is no rule. */
export function KeyRulesFields({ apiKey, fieldError }: KeyRulesFieldsProps) {
  return (
    <>
      <Field
        label={RULE_LABELS.expires_at}
        optional
        hint="From then on the key is refused."
        error={fieldError('expires_at')}
      >
        <Input name="expires_at" type="datetime-local" defaultValue={apiKey?.expires_at?.slice(0, 16)} />
      </Field>
      <Field
        label={RULE_LABELS.allowed_tools}
        optional
        hint="Such as text or math.evaluate, separated by commas."
        error={fieldError('allowed_tools')}
      >
        <Input name="allowed_tools" autoComplete="off" defaultValue={apiKey?.allowed_tools?.join(', ')} />
      </Field>
      <Field
        label={RULE_LABELS.allowed_ips}
        optional
        hint="Such as 203.0.113.0/24, separated by commas."
        error={fieldError('allowed_ips')}
      >
        <Input name="allowed_ips" autoComplete="off" defaultValue={apiKey?.allowed_ips?.join(', ')} />
      </Field>
      <LimitFields apiKey={apiKey} fieldError={fieldError} />
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

const RATES = ['per_minute', 'per_hour', 'concurrent'] as const;

function LimitFields({ apiKey, fieldError }: KeyRulesFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-[1fr_auto] items-end gap-3">
        <Field
          label={RULE_LABELS['spend_limit.amount_usd']}
          optional
          hint="In dollars per calendar period (UTC)."
          error={fieldError('spend_limit.amount_usd')}
        >
          <Input
            name="spend_limit.amount_usd"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={apiKey?.spend_limit?.amount_usd}
          />
        </Field>
        <Field label="Period">
          <Select name="spend_limit.period" defaultValue={apiKey?.spend_limit?.period ?? 'day'}>
            <option value="day">A day</option>
            <option value="week">A week</option>
            <option value="month">A month</option>
          </Select>
        </Field>
      </div>
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
              placeholder="Default"
              defaultValue={apiKey?.rate_limits?.[rate] ?? undefined}
            />
          </Field>
        ))}
      </div>
    </>
  );
}
