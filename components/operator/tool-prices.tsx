'use client';

import { useQuery } from '@tanstack/react-query';
import type { ToolPrices as Prices } from '@/server/operations/operator/pricing/schema';
import { readAmount } from '../shared/amount';
import { problemText } from '../shared/problem';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { InputProblem } from '../shared/use-submit';
import { Badge } from '../ui/badge';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { History } from '../ui/icons';
import { formatMoney } from '../ui/money';
import { ActDialog } from './act-dialog';

type Skill = Prices['skills'][number];
type Change = Prices['changes'][number];

const STATES = {
  scheduled: { tone: 'accent', word: 'Scheduled' },
  current: { tone: 'success', word: 'Current' },
  replaced: { tone: 'neutral', word: 'Replaced' },
} as const;

/** The prices of a built-in tool, with their history. */
export function ToolPrices({ tool, initial }: { tool: string; initial: Prices }) {
  const query = useQuery({
    queryKey: ['operator', 'prices', tool],
    queryFn: ({ signal }) => trpc.operator.pricing.get.query({ tool }, { signal }),
    initialData: initial,
  });
  const prices = query.data;
  const problem = query.isError
    ? {
        title: 'The prices could not be loaded',
        text: problemText(query.error),
        requestId: gatewayError(query.error)?.request_id,
        onRetry: () => void query.refetch(),
        retrying: query.isFetching,
      }
    : null;
  return (
    <>
      <Card>
        <CardHeader
          title="Prices"
          description="Platform fee and provider cost per unit. Calls already quoted keep their price."
          actions={prices.has_provider_cost && <MarkupDialog tool={tool} prices={prices} />}
        />
        <DataTable
          caption="Prices"
          columns={priceColumns(tool, prices.changes)}
          rows={prices.skills}
          keyOf={({ name }) => name}
          problem={problem}
          empty={<EmptyState title="No skills" />}
        />
      </Card>
      <Card>
        <CardHeader title="Price history" description="The newest change in effect sets the price." />
        <DataTable
          caption="Price changes, newest first"
          columns={CHANGE_COLUMNS}
          rows={prices.changes}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={<History />} title="No price changes">
              This tool has the prices of the release.
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

function formatAmounts({ platform_fee_usd: fee, provider_cost_usd: cost }: Skill['current']): string {
  if (fee + cost === 0) return 'Free';
  return cost === 0 ? formatMoney(fee) : `${formatMoney(fee)} + ${formatMoney(cost)}`;
}

function priceColumns(tool: string, changes: readonly Change[]): readonly Column<Skill>[] {
  return [
    {
      id: 'skill',
      title: 'Skill',
      phone: 'title',
      cell: ({ name }) => <span className="font-mono font-normal text-sm">{name}</span>,
    },
    {
      id: 'price',
      title: 'Price',
      numeric: true,
      phone: 'figure',
      cell: ({ current }) => formatAmounts(current),
    },
    {
      id: 'default',
      title: 'Default',
      numeric: true,
      phone: 'none',
      className: 'text-muted',
      cell: (skill) => formatAmounts(skill.default),
    },
    {
      id: 'unit',
      title: 'Unit',
      phone: 'note',
      className: 'text-muted',
      cell: ({ unit }) => (
        <span>
          <span className="sm:hidden">per </span>
          {unit.split(';')[0]}
        </span>
      ),
    },
    {
      id: 'act',
      title: 'Actions',
      titleHidden: true,
      phone: 'aside',
      className: 'text-right',
      cell: (skill) => <SkillActs tool={tool} skill={skill} scheduled={findScheduled(changes, skill.name)} />,
    },
  ];
}

/** The change of a skill, or of the markup, that takes effect next. */
function findScheduled(changes: readonly Change[], skill: string | null): Change | undefined {
  return changes
    .filter((change) => change.skill === skill && change.state === 'scheduled')
    .sort((one, other) => one.effective_at.localeCompare(other.effective_at))[0];
}

/** A change that is made later wins, so an immediate one also cancels what was scheduled. */
function Replaces({ scheduled }: { scheduled: Change | undefined }) {
  if (!scheduled) return null;
  return (
    <>
      {' '}
      It cancels the change scheduled for <DateTime at={scheduled.effective_at} format="exact" /> (
      {formatChange(scheduled)}), unless it takes effect later.
    </>
  );
}

interface SkillActsProps {
  tool: string;
  skill: Skill;
  scheduled: Change | undefined;
}

function SkillActs({ tool, skill, scheduled }: SkillActsProps) {
  if (!skill.adjustable) return <span className="text-muted text-sm">Set by the caller</span>;
  const name = `${tool}.${skill.name}`;
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      <ActDialog
        label="Change price"
        title={`Price of ${name}`}
        consequence={
          <>
            Applies to calls that start from then on. A free skill that becomes paid is refused to unclaimed
            keys.
            <Replaces scheduled={scheduled} />
          </>
        }
        confirmLabel="Change price"
        fields={[
          {
            name: 'fee',
            label: 'Platform fee',
            hint: `In dollars per ${skill.unit.split(';')[0]}; 0 for none. The provider’s cost comes on top.`,
            defaultValue: plain(skill.fee_usd ?? skill.default.platform_fee_usd),
            decimal: true,
          },
          EFFECTIVE_FIELD,
        ]}
        reason
        done="Price changed"
        act={async ({ fee = '', effective = '', reason = '' }) => {
          const amount = readAmount('Platform fee', fee);
          if ('problem' in amount) throw new InputProblem(amount.problem);
          await trpc.operator.pricing.set.mutate({
            tool,
            skill: skill.name,
            platform_fee_usd: amount.usd,
            effective_at: effective === '' ? undefined : effective,
            reason,
          });
        }}
      />
      {(skill.fee_usd !== null || scheduled) && (
        <ActDialog
          label="Reset"
          title={`Reset the price of ${name}?`}
          consequence={
            <>
              {`The platform fee is that of the release again, ${formatFee(skill)}, for calls that start from now on.`}
              {scheduled && ' Scheduled changes are cancelled.'}
            </>
          }
          confirmLabel="Reset price"
          reason
          done="Price reset"
          act={({ reason = '' }) =>
            trpc.operator.pricing.set.mutate({ tool, skill: skill.name, platform_fee_usd: null, reason })
          }
        />
      )}
    </span>
  );
}

const EFFECTIVE_FIELD = {
  name: 'effective',
  label: 'Effective from',
  hint: 'In your time zone.',
  moment: { none: 'Now' },
} as const;

function MarkupDialog({ tool, prices }: { tool: string; prices: Prices }) {
  const { markup_percent: percent, changes } = prices;
  return (
    <ActDialog
      label={percent === null ? 'Set markup' : `Markup: ${percent}%`}
      title={`Markup of ${tool}`}
      consequence={
        <>
          A share of the provider’s cost that is added to the platform fee of every skill.
          <Replaces scheduled={findScheduled(changes, null)} />
        </>
      }
      confirmLabel="Set markup"
      fields={[
        {
          name: 'percent',
          label: 'Markup in percent',
          hint: 'Empty for none.',
          defaultValue: percent === null ? '' : String(percent),
          decimal: true,
        },
        EFFECTIVE_FIELD,
      ]}
      reason
      done="Markup changed"
      act={async ({ percent: text = '', effective = '', reason = '' }) => {
        const value = text.trim() === '' ? null : Number(text);
        if (Number.isNaN(value)) throw new InputProblem('Markup in percent: enter a number.');
        await trpc.operator.pricing.set.mutate({
          tool,
          skill: null,
          markup_percent: value,
          effective_at: effective === '' ? undefined : effective,
          reason,
        });
      }}
    />
  );
}

function formatFee({ default: { platform_fee_usd: fee } }: Skill): string {
  return fee === 0 ? 'none' : formatMoney(fee);
}

/** Decimal, without exponent notation. */
function plain(usd: number): string {
  return usd.toFixed(6).replace(/\.?0+$/, '') || '0';
}

function formatChange({ skill, fee_usd: fee, markup_percent: markup }: Change): string {
  if (skill === null) return markup === null ? 'No markup' : `${markup}% markup`;
  if (fee === null) return 'Default';
  return fee === 0 ? 'No platform fee' : formatMoney(fee);
}

const CHANGE_COLUMNS: readonly Column<Change>[] = [
  {
    id: 'skill',
    title: 'Skill',
    phone: 'title',
    cell: ({ skill }) => <span className="font-mono font-normal text-sm">{skill ?? 'all skills'}</span>,
  },
  { id: 'price', title: 'Platform fee', numeric: true, phone: 'figure', cell: formatChange },
  {
    id: 'state',
    title: 'State',
    phone: 'note',
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>,
  },
  {
    id: 'from',
    title: 'Effective from',
    phone: 'aside',
    className: 'text-muted',
    cell: ({ effective_at }) => <DateTime at={effective_at} format="exact" />,
  },
  {
    id: 'by',
    title: 'By',
    phone: 'none',
    className: 'text-muted max-w-48 truncate',
    cell: ({ by }) => by.replace(/^operator:/, ''),
  },
  { id: 'reason', title: 'Reason', phone: 'line', className: 'sm:max-w-64', cell: ({ reason }) => reason },
];
