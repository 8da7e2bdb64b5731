import type { UsageReport } from '@/server/usage/schema';
import { nameAxis } from '../shared/axis-labels';
import type { Bucket } from '../ui/chart/stacked-bars';
import { formatNumber } from '../ui/format-number';
import { countDecimals, Money } from '../ui/money';
import { Table, Tbody, Td, Tfoot, Th, Thead, Tr } from '../ui/table';
import { useTimes } from '../ui/time-provider';

interface TimeTableProps {
  report: Pick<UsageReport, 'by_time' | 'totals' | 'unit'>;
  buckets: readonly Bucket[];
  label: string;
}

/** The chart's figures as a table, newest first, without empty buckets. */
export function TimeTable({ report, buckets, label }: TimeTableProps) {
  const { zone } = useTimes();
  const rows = report.by_time
    .map((row, at) => ({ ...row, words: buckets[at]?.long ?? '' }))
    .filter((row) => row.calls > 0)
    .reverse();
  if (rows.length === 0) return <p className="py-8 text-center text-muted text-sm">Nothing in this period</p>;
  const decimals = countDecimals([...rows.map((row) => row.cost_usd), report.totals.cost_usd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="-mx-4 max-h-72 overflow-y-auto sm:-mx-5">
      <Table caption={label}>
        <Thead>
          <Th>{nameAxis(report.unit, zone)}</Th>
          <Th numeric>Calls</Th>
          <Th numeric>Spend</Th>
        </Thead>
        <Tbody>
          {rows.map((row) => (
            <Tr key={row.at}>
              <Td head>{row.words}</Td>
              <Td label="Calls" numeric>
                {formatNumber(row.calls)}
              </Td>
              <Td label="Spend" numeric>
                <Money usd={row.cost_usd} exact decimals={decimals} />
              </Td>
            </Tr>
          ))}
        </Tbody>
        <Tfoot>
          <Tr className="font-medium">
            <Td head>Total</Td>
            <Td label="Calls" numeric>
              {formatNumber(report.totals.calls)}
            </Td>
            <Td label="Spend" numeric>
              <Money usd={report.totals.cost_usd} exact decimals={decimals} />
            </Td>
          </Tr>
        </Tfoot>
      </Table>
    </section>
  );
}
