'use client';

import Link from 'next/link';
import type { StatementLine } from '@/server/money/billing/schema';
import { Badge } from '../ui/badge';
import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { Money } from '../ui/money';
import { KIND_WORDS } from './statement-filters';

const TONES = {
  call: 'neutral',
  purchase: 'success',
  grant: 'success',
  claim: 'neutral',
  refund: 'warning',
  dispute: 'danger',
} as const satisfies Record<StatementLine['kind'], string>;

/** On a phone, each row has two lines: description and amount, then time and balance. */
export const STATEMENT_COLUMNS: readonly Column<StatementLine>[] = [
  {
    id: 'at',
    title: 'Date',
    phone: 'note',
    className: 'text-muted sm:w-36',
    cell: (line) => <DateTime at={line.at} />,
  },
  {
    id: 'what',
    title: 'Description',
    head: true,
    className: 'font-normal',
    cell: (line) => (
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge tone={TONES[line.kind]}>{KIND_WORDS[line.kind]}</Badge>
        <What line={line} />
      </div>
    ),
  },
  {
    id: 'amount',
    title: 'Amount',
    numeric: true,
    phone: 'figure',
    cell: (line) => (
      <Money
        usd={line.amount_usd}
        sign="always"
        className={line.amount_usd > 0 ? 'font-medium text-success' : 'font-medium'}
      />
    ),
  },
  {
    id: 'balance',
    title: 'Balance',
    numeric: true,
    phone: 'aside',
    className: 'text-muted max-sm:gap-1.5',
    cell: (line) => (
      <>
        <span className="sm:hidden">Balance</span>
        <Money usd={line.balance_usd} />
      </>
    ),
  },
];

function What({ line }: { line: StatementLine }) {
  if (line.payment_id !== null)
    return (
      <Link href={`/dashboard/billing/receipts/${line.payment_id}`} className="link min-w-0 break-words">
        {line.description}
      </Link>
    );
  return (
    <span
      className={line.kind === 'call' ? 'min-w-0 break-all font-mono' : 'min-w-0 break-words'}
      title={line.ref}
    >
      {line.description}
    </span>
  );
}
