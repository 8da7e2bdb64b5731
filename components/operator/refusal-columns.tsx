import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';

/** Why calls were refused: the code, and which limit it was. */
export function codeColumn<Row extends { error_code: string; limit: string | null }>(): Column<Row> {
  return {
    id: 'code',
    title: 'Code',
    phone: 'title',
    cell: ({ error_code: code, limit }) => (
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <code className="break-all font-mono text-sm">{code}</code>
        {limit !== null && <span className="font-normal text-muted text-sm">limit: {limit}</span>}
      </span>
    ),
  };
}

/** How many calls were refused, and when the last of them was. */
export function countColumns<Row extends { refused: number; last_at: string }>(): Column<Row>[] {
  return [
    {
      id: 'refused',
      title: 'Refused',
      numeric: true,
      phone: 'figure',
      cell: ({ refused }) => formatNumber(refused),
    },
    {
      id: 'last',
      title: 'Last',
      time: true,
      phone: 'note',
      className: 'text-muted',
      cell: ({ last_at: at }) => <DateTime at={at} />,
    },
  ];
}
