'use client';

import { type ReactNode, useState } from 'react';
import type { ApiKey, KeyPage } from '@/server/identity/keys/schema';
import { addUsd } from '../shared/format';
import { useReturnFocus } from '../shared/use-return-focus';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';
import { IconButton } from '../ui/icon-button';
import { Pencil } from '../ui/icons';
import { Meter } from '../ui/meter';
import { formatCents, formatMoney } from '../ui/money';
import { KeyCreditsDialog, KeyRulesDialog } from './key-dialogs';
import type { RULE_LABELS } from './read-rules';

const PERIOD_LIMIT = {
  day: 'Daily spending limit',
  week: 'Weekly spending limit',
  month: 'Monthly spending limit',
} as const;

/** What changes a limit: a dialog of its own, or the field of a rule. */
type Editing = 'credits' | keyof typeof RULE_LABELS;

/** Every limit of a key, with what is used of it, when it resets, and its dialog. */
export function KeyLimits({ page }: { page: KeyPage }) {
  const { key, windows, concurrent } = page;
  const [editing, setEditing] = useState<Editing | null>(null);
  useReturnFocus(editing !== null);
  const may = page.can_change && key.status === 'active';
  const edit = (what: Editing) => (may ? () => setEditing(what) : null);
  const dialog = { apiKey: key, open: true, onOpenChange: () => setEditing(null) };
  return (
    <Card>
      <CardHeader
        title="Limits"
        description="Money limits are the key’s own, and call limits at most those of the account. The account’s balance and monthly limit apply as well."
      />
      <dl className="grid gap-x-6 gap-y-5 p-4 text-sm sm:grid-cols-2 sm:p-5 lg:grid-cols-3">
        <SpendLimit apiKey={key} onEdit={edit('spend_limit.amount_usd')} />
        <CreditLimit apiKey={key} onEdit={edit('credits')} />
        {windows.map(({ per, field, limit, remaining, reset_seconds: seconds }) => (
          <Limit
            key={per}
            name={`Calls ${per}`}
            value={`${formatNumber(limit - remaining)} of ${formatNumber(limit)} used`}
            used={limit - remaining}
            max={limit}
            note={
              remaining === limit ? 'Starts with the next call' : `Resets within ${formatSeconds(seconds)}`
            }
            onEdit={edit(`rate_limits.${field}`)}
          />
        ))}
        <Limit
          name="Calls at once"
          value={`${concurrent.running} of ${concurrent.limit} used`}
          used={concurrent.running}
          max={concurrent.limit}
          note={`${concurrent.running} running now`}
          onEdit={edit('rate_limits.concurrent')}
        />
      </dl>
      {editing === 'credits' && <KeyCreditsDialog {...dialog} />}
      {editing !== null && editing !== 'credits' && <KeyRulesDialog {...dialog} focus={editing} />}
    </Card>
  );
}

interface EditableProps {
  apiKey: ApiKey;
  /** Null: the viewer may not change it. */
  onEdit: (() => void) | null;
}

function CreditLimit({ apiKey, onEdit }: EditableProps) {
  const { credits, credits_used: used } = apiKey;
  const name = 'Credit limit';
  if (credits === null)
    return <Limit name={name} value="No limit" note={`${formatCents(used)} used in total`} onEdit={onEdit} />;
  const max = addUsd(used, Math.max(0, credits));
  return (
    <Limit
      name={name}
      value={`${formatCents(used)} of ${formatMoney(max)} used`}
      used={used}
      max={max}
      note="In total; it does not reset"
      onEdit={onEdit}
    />
  );
}

function SpendLimit({ apiKey: { spend_limit: limit }, onEdit }: EditableProps) {
  if (limit === null)
    return <Limit name="Spending limit" value="No limit" note="Per day, week or month" onEdit={onEdit} />;
  return (
    <Limit
      name={PERIOD_LIMIT[limit.period]}
      value={`${formatCents(limit.spent_usd)} of ${formatMoney(limit.amount_usd)} used`}
      used={limit.spent_usd}
      max={limit.amount_usd}
      note={
        <>
          Resets <DateTime at={limit.resets_at} format="exact" />
        </>
      }
      onEdit={onEdit}
    />
  );
}

interface LimitProps {
  name: string;
  value: string;
  note: ReactNode;
  used?: number;
  /** Without it there is no limit, and no bar. */
  max?: number;
  onEdit: EditableProps['onEdit'];
}

function Limit({ name, value, note, used = 0, max, onEdit }: LimitProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <dt className="flex min-h-8 items-center justify-between gap-2 text-muted">
        {name}
        {onEdit && (
          <IconButton label={`Edit: ${name}`} onClick={onEdit}>
            <Pencil aria-hidden />
          </IconButton>
        )}
      </dt>
      <dd className="font-medium tabular-nums">{value}</dd>
      {max !== undefined && (
        <dd>
          <Meter label={name} value={used} max={max} valueText={value} />
        </dd>
      )}
      <dd className="text-muted text-xs">{note}</dd>
    </div>
  );
}

/** `a minute`, `42 minutes`, `7 hours`, rounded up. */
function formatSeconds(seconds: number): string {
  if (seconds <= 60) return 'a minute';
  return seconds <= 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`;
}
