'use client';

import Link from 'next/link';
import type { StatementLine } from '@/server/billing/schema';
import { Badge } from '../ui/badge';
import { DateTime } from '../ui/date-time';
import { Money } from '../ui/money';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';
import { KIND_WORDS } from './statement-filters';

const TONES = {
  call: 'neutral',
  purchase: 'success',
  grant: 'success',
  claim: 'neutral',
  refund: 'warning',
  dispute: 'danger',
} as const satisfies Record<StatementLine['kind'], string>;

/** On a phone each line is two: what and how much, then kind, when and the balance after it. */
export function StatementTable({ lines }: { lines: StatementLine[] }) {
  return (
    <Table caption="Statement: every movement of money, newest first">
      <Thead>
        <Th>When</Th>
        <Th>What</Th>
        <Th numeric>Amount</Th>
        <Th numeric>Balance</Th>
      </Thead>
      <Tbody>
        {lines.map((line) => (
          <Tr
            key={line.id}
            className="max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:items-center max-sm:gap-x-4"
          >
            <Td className="text-muted max-sm:order-3 max-sm:justify-start sm:w-36">
              <DateTime at={line.at} />
            </Td>
            <Td head className="font-normal max-sm:order-1">
              <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
                <Badge tone={TONES[line.kind]}>{KIND_WORDS[line.kind]}</Badge>
                <What line={line} />
              </div>
            </Td>
            <Td numeric className="max-sm:order-2 max-sm:justify-end">
              <Money
                usd={line.amount_usd}
                sign="always"
                className={line.amount_usd > 0 ? 'font-medium text-success' : 'font-medium'}
              />
            </Td>
            <Td numeric className="text-muted max-sm:order-4 max-sm:justify-end max-sm:gap-1.5">
              <span className="sm:hidden">Balance</span>
              <Money usd={line.balance_usd} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

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
