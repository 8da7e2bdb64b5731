'use client';

import Link from 'next/link';
import type { CallsRow, DayRow, StatementLine } from '@/server/money/billing/schema';
import { formatCount } from '../shared/format';
import { Badge } from '../ui/badge';
import { cn } from '../ui/cn';
import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { ChevronRight } from '../ui/icons';
import { Money } from '../ui/money';
import { formatTime } from '../ui/time-format';
import { KIND_WORDS } from './statement-filters';

/** A row of the statement, or a single call of an expanded day. */
export type StatementRow = DayRow | (StatementLine & { type: 'call' });

const TONES = {
  call: 'neutral',
  purchase: 'success',
  grant: 'success',
  claim: 'neutral',
  refund: 'warning',
  dispute: 'danger',
} as const satisfies Record<StatementLine['kind'], string>;

interface Expansion {
  days: ReadonlySet<string>;
  toggle: (day: string) => void;
}

/** On a phone, each row has two lines: description and amount, then time and balance. */
export function statementColumns(expansion: Expansion): readonly Column<StatementRow>[] {
  return [
    {
      id: 'at',
      title: 'Date',
      time: true,
      phone: 'note',
      className: 'text-muted sm:w-36',
      cell: (row) =>
        row.type === 'calls' ? (
          <Day day={row.day} />
        ) : (
          <DateTime at={row.at} format={row.type === 'call' ? 'log' : 'exact'} />
        ),
    },
    {
      id: 'what',
      title: 'Description',
      head: true,
      className: 'font-normal',
      cell: (row) =>
        row.type === 'calls' ? <CallsToggle row={row} expansion={expansion} /> : <Entry line={row} />,
    },
    {
      id: 'amount',
      title: 'Amount',
      numeric: true,
      phone: 'figure',
      usd: ({ amount_usd }) => amount_usd,
      cell: ({ type, amount_usd }, decimals) => (
        <Money
          usd={amount_usd}
          exact
          decimals={decimals}
          sign="always"
          className={cn(type !== 'call' && 'font-medium', amount_usd > 0 && 'text-success')}
        />
      ),
    },
    {
      id: 'balance',
      title: 'Balance',
      numeric: true,
      phone: 'aside',
      className: 'text-muted max-sm:gap-1.5',
      usd: ({ balance_usd }) => balance_usd,
      cell: (row, decimals) => (
        <>
          <span className="sm:hidden">Balance</span>
          <Money usd={row.balance_usd} exact decimals={decimals} />
        </>
      ),
    },
  ];
}

/** A day of UTC, in every time zone. */
function Day({ day }: { day: string }) {
  const text = formatTime(new Date(`${day}T00:00:00Z`), 'date', 'UTC');
  return (
    <time dateTime={day} title={`${text}, UTC`}>
      {text}
    </time>
  );
}

function CallsToggle({ row, expansion }: { row: CallsRow; expansion: Expansion }) {
  const open = expansion.days.has(row.day);
  return (
    <button
      type="button"
      data-row-main
      aria-expanded={open}
      onClick={() => expansion.toggle(row.day)}
      className="-ml-1 inline-flex items-center gap-1.5 rounded-sm px-1 py-0.5 hover:bg-hover"
    >
      <ChevronRight
        aria-hidden
        className={cn('size-4 text-muted transition-transform', open && 'rotate-90')}
      />
      {formatCount(row.calls, 'call')}
    </button>
  );
}

function Entry({ line }: { line: StatementLine & { type: string } }) {
  if (line.type === 'call')
    return (
      <span className="min-w-0 break-all pl-6 font-mono" title={line.ref}>
        {line.description}
      </span>
    );
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
      <Badge tone={TONES[line.kind]}>{KIND_WORDS[line.kind]}</Badge>
      {line.payment_id === null ? (
        <span className="min-w-0 break-words" title={line.ref}>
          {line.description}
        </span>
      ) : (
        <Link href={`/dashboard/billing/receipts/${line.payment_id}`} className="link min-w-0 break-words">
          {keepCardTogether(line.description)}
        </Link>
      )}
    </div>
  );
}

/** The dots of a card and its last digits stay on one line. */
function keepCardTogether(text: string): string {
  return text.replace(/ (•+) (?=\d)/, '\u00a0$1\u00a0');
}
