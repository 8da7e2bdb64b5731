import type { UsageCall } from '@/server/usage/schema';
import { CallStatus } from '../shared/call-status';
import { formatDuration } from '../shared/format';
import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { Money } from '../ui/money';

const MESSAGE_COLUMN: Column<UsageCall> = {
  id: 'message',
  title: 'Message',
  phone: 'line',
  className: 'max-sm:before:hidden sm:min-w-64',
  cell: ({ error_message: message }) =>
    message === null ? (
      <span className="text-muted">Not shown</span>
    ) : (
      <span className="line-clamp-2 break-words text-left text-sm" title={message}>
        {message}
      </span>
    ),
};

/** The columns of a list of calls with the key of each. */
export const CALL_COLUMNS: readonly Column<UsageCall>[] = [
  {
    id: 'call',
    title: 'Call',
    phone: 'title',
    cell: (call) => (
      <span className="break-all font-mono font-normal text-sm">
        <span className="text-muted">{call.tool}.</span>
        {call.skill}
      </span>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    phone: 'note',
    className: 'max-sm:flex-wrap max-sm:gap-x-4 max-sm:gap-y-1',
    cell: (call) => (
      <>
        <CallStatus status={call.status} code={call.error_code} />
        <span className="max-w-full truncate text-muted sm:hidden">{call.key_name}</span>
      </>
    ),
  },
  {
    id: 'key',
    title: 'Key',
    phone: 'none',
    className: 'max-w-56',
    cell: (call) => (
      <span
        className="block truncate"
        title={call.member ? `${call.key_name}, ${call.member}` : call.key_name}
      >
        {call.key_name}
        {call.member && <span className="text-muted">, {call.member}</span>}
      </span>
    ),
  },
  {
    id: 'cost',
    title: 'Cost',
    numeric: true,
    phone: 'figure',
    usd: (call) => call.cost_usd,
    cell: ({ cost_usd: cost }, decimals) => (
      <Money usd={cost} exact decimals={decimals} className={cost === 0 ? 'text-muted' : undefined} />
    ),
  },
  {
    id: 'time',
    title: 'Duration',
    numeric: true,
    phone: 'none',
    className: 'whitespace-nowrap text-muted',
    cell: (call) => formatDuration(call.latency_ms),
  },
  {
    id: 'when',
    title: 'When',
    time: true,
    numeric: true,
    phone: 'aside',
    className: 'text-muted',
    cell: (call) => <DateTime at={call.created_at} />,
  },
];

/** The columns of a list of failed calls: they cost nothing, and the message says why. */
export const FAILED_CALL_COLUMNS: readonly Column<UsageCall>[] = CALL_COLUMNS.filter(
  ({ id }) => id !== 'time',
).map((column) => (column.id === 'cost' ? MESSAGE_COLUMN : column));

/** The columns of a list of calls of one key, which it does not repeat. */
export const CALL_COLUMNS_OF_KEY = CALL_COLUMNS.filter(({ id }) => id !== 'key').map((column) =>
  column.id === 'status'
    ? { ...column, cell: (call: UsageCall) => <CallStatus status={call.status} code={call.error_code} /> }
    : column,
);
