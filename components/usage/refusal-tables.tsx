import type { RefusalReport, UsageFilter } from '@/server/usage/schema';
import { codeColumn, countColumns } from '../shared/refusal-columns';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { refusalsHref } from './view';

type CodeRow = RefusalReport['by_code'][number];
type ToolRow = RefusalReport['by_tool'][number];
type KeyRow = RefusalReport['by_key'][number];
type LastRow = RefusalReport['last'][number];

interface RefusalTablesProps {
  report: RefusalReport;
  filter: UsageFilter;
  stale: boolean;
}

/** Refused calls by code, key and tool, each row linked to its slice, and the last ones. */
export function RefusalTables({ report, filter, stale }: RefusalTablesProps) {
  return (
    <>
      <Card>
        <CardHeader title="By code" />
        <DataTable
          caption="Refused calls by code"
          columns={CODE_COLUMNS}
          rows={report.by_code}
          keyOf={(row) => `${row.error_code} ${row.limit}`}
          hrefOf={({ error_code }) => refusalsHref({ ...filter, error_code })}
          stale={stale}
          empty={NONE}
        />
      </Card>
      <div className="grid gap-6 xl:grid-cols-2">
        <Card>
          <CardHeader title="By key" />
          <DataTable
            caption="Refused calls by key"
            columns={KEY_COLUMNS}
            rows={report.by_key}
            keyOf={(row) => row.key_id ?? ''}
            hrefOf={({ key_id: key }) => (key === null ? null : refusalsHref({ ...filter, key_id: key }))}
            stale={stale}
            empty={NONE}
          />
        </Card>
        <Card>
          <CardHeader title="By tool" />
          <DataTable
            caption="Refused calls by tool"
            columns={TOOL_COLUMNS}
            rows={report.by_tool}
            keyOf={(row) => row.tool ?? ''}
            hrefOf={({ tool }) => (tool === null ? null : refusalsHref({ ...filter, tool }))}
            stale={stale}
            empty={NONE}
          />
        </Card>
      </div>
      <Card>
        <CardHeader title="Last refused calls" description="The last hundred of the account are described." />
        <DataTable
          caption="Last refused calls"
          columns={LAST_COLUMNS}
          rows={report.last}
          keyOf={(row) => row.id}
          stale={stale}
          empty={NONE}
        />
      </Card>
    </>
  );
}

const NONE = <EmptyState title="No refused calls" />;

const CODE_COLUMNS: readonly Column<CodeRow>[] = [
  codeColumn(),
  {
    id: 'keys',
    title: 'Keys',
    numeric: true,
    phone: 'none',
    cell: ({ keys }) => formatNumber(keys),
  },
  {
    id: 'first',
    title: 'First',
    phone: 'none',
    className: 'text-muted',
    cell: ({ first_at: at }) => <DateTime at={at} />,
  },
  ...countColumns(),
];

const KEY_COLUMNS: readonly Column<KeyRow>[] = [
  {
    id: 'key',
    title: 'Key',
    phone: 'title',
    cell: ({ name }) => <span className="break-words">{name}</span>,
  },
  ...countColumns(),
];

const TOOL_COLUMNS: readonly Column<ToolRow>[] = [
  {
    id: 'tool',
    title: 'Tool',
    phone: 'title',
    cell: ({ tool }) => tool ?? <span className="text-muted">No such tool</span>,
  },
  ...countColumns(),
];

const LAST_COLUMNS: readonly Column<LastRow>[] = [
  {
    id: 'code',
    title: 'Code and message',
    phone: 'title',
    cell: ({ error_code: code, message }) => (
      <>
        <code className="block break-all font-mono text-sm">{code}</code>
        <span className="block break-words font-normal text-muted text-sm">{message}</span>
      </>
    ),
  },
  {
    id: 'call',
    title: 'Call and key',
    phone: 'note',
    cell: ({ tool, skill, key_name: key }) => (
      <span className="block min-w-0">
        <span className="block break-all font-mono text-sm">
          {[tool, skill].filter(Boolean).join('.') || '—'}
        </span>
        <span className="block break-words text-muted text-sm">{key}</span>
      </span>
    ),
  },
  {
    id: 'request',
    title: 'Request and address',
    phone: 'none',
    cell: ({ request_id: id, client_address: address }) => (
      <>
        <code className="block break-all font-mono text-xs">{id}</code>
        {address !== null && <span className="block text-muted text-xs">{address}</span>}
      </>
    ),
  },
  {
    id: 'at',
    title: 'Refused at',
    time: true,
    phone: 'aside',
    className: 'text-muted',
    cell: ({ at }) => <DateTime at={at} />,
  },
];
