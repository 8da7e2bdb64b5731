import Link from 'next/link';
import type { TeamDetail } from '@/server/identity/teams/schema';
import { Badge } from '../ui/badge';
import { Card, CardHeader } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { ArrowRight, ReceiptText } from '../ui/icons';
import { countDecimals, Money } from '../ui/money';
import { Table, Tbody, Td, Tfoot, Th, Thead, Tr } from '../ui/table';
import { formatUtcMonth } from '../ui/time-format';
import { personName } from './person-name';

/** This month's spending of the team by member. */
export function TeamSpend({ spend, slug }: { spend: TeamDetail['spend']; slug: string }) {
  const usage = `/dashboard/usage?billing=${encodeURIComponent(slug)}&period=mtd`;
  const from = new Date(spend.from);
  const month = `${formatUtcMonth(from)} ${from.getUTCFullYear()}`;
  const decimals = countDecimals([spend.cost_usd, ...spend.by_member.map((row) => row.cost_usd)]);
  return (
    <Card>
      <CardHeader
        title="Spend by member"
        description={`In ${month} (UTC), by owner of the key.`}
        actions={
          <Link href={usage} className="link inline-flex items-center gap-1 text-sm">
            All usage
            <ArrowRight aria-hidden className="size-3.5" />
          </Link>
        }
      />
      {spend.by_member.length === 0 ? (
        <EmptyState icon={<ReceiptText />} title="No charges this month">
          See below how agents charge the team.
        </EmptyState>
      ) : (
        <Table caption="Spend by member this month">
          <Thead>
            <Th>Person</Th>
            <Th numeric>Calls</Th>
            <Th numeric>Spend</Th>
          </Thead>
          <Tbody>
            {spend.by_member.map((row) => (
              <Tr key={row.user_id ?? (row.team_keys ? 'team' : 'unknown')}>
                <Td head>
                  <div className="min-w-0">
                    <span className="flex flex-wrap items-center gap-x-2">
                      {row.user_id ? (
                        <Link
                          href={`${usage}&member=${encodeURIComponent(row.user_id)}`}
                          className="break-words hover:underline"
                        >
                          {personName(row)}
                        </Link>
                      ) : (
                        <span className="break-words">
                          {row.team_keys ? 'Keys of the team' : personName(row)}
                        </span>
                      )}
                      {!row.is_member && !row.team_keys && <Badge>No longer in the team</Badge>}
                    </span>
                    {row.name && row.email && (
                      <p className="break-all font-normal text-muted text-xs">{row.email}</p>
                    )}
                  </div>
                </Td>
                <Td label="Calls" numeric>
                  {formatNumber(row.calls)}
                </Td>
                <Td label="Spend" numeric>
                  <Money usd={row.cost_usd} exact decimals={decimals} />
                </Td>
              </Tr>
            ))}
          </Tbody>
          {spend.by_member.length > 1 && (
            <Tfoot>
              <Tr className="font-medium">
                <Td head>Total</Td>
                <Td label="Calls" numeric>
                  {formatNumber(spend.by_member.reduce((sum, { calls }) => sum + calls, 0))}
                </Td>
                <Td label="Spend" numeric>
                  <Money usd={spend.cost_usd} exact decimals={decimals} />
                </Td>
              </Tr>
            </Tfoot>
          )}
        </Table>
      )}
    </Card>
  );
}
