import type { Insight, InsightOrder } from '@/server/operations/operator/insight/schema';
import { Segmented } from '../shared/segmented';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { type Column, DataTable } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { Receipt } from '../ui/icons';
import { Money } from '../ui/money';
import { OnPhone } from './tool-figures';

type TopAccount = Insight['top_accounts'][number];
type TopTool = Insight['top_tools'][number];
type Sums = Pick<TopTool, 'calls' | 'failed' | 'revenue_usd' | 'margin_usd'>;

const ORDER_OPTIONS = [
  { value: 'revenue', label: 'Revenue' },
  { value: 'calls', label: 'Calls' },
  { value: 'failures', label: 'Tool failures' },
] as const;

interface TopListsProps {
  insight: Insight;
  by: InsightOrder;
  onChooseBy: (by: InsightOrder) => void;
  className?: string | undefined;
}

/** The accounts and tools with the most revenue, calls or failures, each with its page. */
export function TopLists({ insight, by, onChooseBy, className }: TopListsProps) {
  const words = ORDER_OPTIONS.find(({ value }) => value === by)?.label.toLowerCase();
  const empty = (noun: string) => (
    <EmptyState icon={<Receipt />} title={`No ${noun} with ${words} in this period`} />
  );
  return (
    <div className={cn('grid gap-6 xl:grid-cols-2', className)}>
      <Card>
        <CardHeader
          title="Top accounts"
          actions={
            <Segmented legend="Top by" value={by} options={ORDER_OPTIONS} onValueChange={onChooseBy} />
          }
        />
        <DataTable
          caption={`Accounts with the most ${words}`}
          columns={ACCOUNT_COLUMNS}
          rows={insight.top_accounts}
          keyOf={({ account_id }) => account_id}
          hrefOf={({ account_id }) => `/operator/accounts/${account_id}`}
          empty={empty('accounts')}
        />
      </Card>
      <Card>
        <CardHeader title="Top tools" description={`By ${words}`} />
        <DataTable
          caption={`Tools with the most ${words}`}
          columns={TOOL_COLUMNS}
          rows={insight.top_tools}
          keyOf={({ tool }) => tool}
          hrefOf={({ tool }) => `/operator/tools/${encodeURIComponent(tool)}`}
          empty={empty('tools')}
        />
      </Card>
    </div>
  );
}

function figureColumns<Row extends Sums>(): Column<Row>[] {
  return [
    {
      id: 'calls',
      title: 'Calls',
      numeric: true,
      phone: 'note',
      cell: ({ calls }) => (
        <span>
          {formatNumber(calls)}
          <OnPhone>{calls === 1 ? ' call' : ' calls'}</OnPhone>
        </span>
      ),
    },
    {
      id: 'failed',
      title: 'Tool failures',
      numeric: true,
      phone: 'aside',
      cell: ({ failed }) => (
        <span className={failed === 0 ? 'text-muted' : undefined}>
          {formatNumber(failed)}
          <OnPhone>{failed === 1 ? ' tool failure' : ' tool failures'}</OnPhone>
        </span>
      ),
    },
    {
      id: 'revenue',
      title: 'Revenue',
      numeric: true,
      phone: 'figure',
      usd: ({ revenue_usd }) => revenue_usd,
      cell: ({ revenue_usd }, decimals) => <Money usd={revenue_usd} exact decimals={decimals} />,
    },
  ];
}

const ACCOUNT_COLUMNS: readonly Column<TopAccount>[] = [
  {
    id: 'account',
    title: 'Account',
    phone: 'title',
    className: 'max-w-56',
    cell: ({ name, note }) => (
      <>
        <span className="block truncate">{name}</span>
        {note && <span className="block truncate font-normal text-muted text-xs">{note}</span>}
      </>
    ),
  },
  ...figureColumns<TopAccount>(),
];

const TOOL_COLUMNS: readonly Column<TopTool>[] = [
  { id: 'tool', title: 'Tool', phone: 'title', cell: ({ display_name }) => display_name },
  ...figureColumns<TopTool>(),
  {
    id: 'margin',
    title: 'Margin',
    numeric: true,
    phone: 'none',
    usd: ({ margin_usd, cost_recorded }) => (cost_recorded ? margin_usd : null),
    cell: ({ margin_usd, cost_recorded }, decimals) =>
      cost_recorded ? (
        <Money usd={margin_usd} exact decimals={decimals} />
      ) : (
        <span className="text-muted">Cost not recorded</span>
      ),
  },
];
