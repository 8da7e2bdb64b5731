import type { UsageSummary } from '@/server/usage/schema';
import { Money } from '../ui/money';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';
import { formatCount, formatDuration } from './format';
import { writeMoment } from './usage-chart';

/** The chart's figures as a table, newest first; moments without a call are left out. */
export function TimeTable({
  buckets,
  unit,
  label,
}: {
  buckets: UsageSummary['by_time'];
  unit: 'hour' | 'day';
  label: string;
}) {
  const rows = buckets.filter((bucket) => bucket.calls > 0).reverse();
  if (rows.length === 0) return <p className="py-8 text-center text-muted text-sm">Nothing in this period</p>;
  return (
    <div className="-mx-4 max-h-72 overflow-y-auto sm:-mx-5">
      <Table caption={label}>
        <Thead>
          <Th>{unit === 'hour' ? 'Hour' : 'Day (UTC)'}</Th>
          <Th numeric>Calls</Th>
          <Th numeric>Spend</Th>
        </Thead>
        <Tbody>
          {rows.map((row) => (
            <Tr key={row.at}>
              <Td head suppressHydrationWarning>
                {writeMoment(row.at, unit, 'long').replace(' (UTC)', '')}
              </Td>
              <Td label="Calls" numeric>
                {row.calls.toLocaleString('en-US')}
              </Td>
              <Td label="Spend" numeric>
                <Money usd={row.cost_usd} />
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </div>
  );
}

/** Which tools the money went to. */
export function ToolTable({ tools }: { tools: UsageSummary['by_tool'] }) {
  const rows = tools.toSorted((a, b) => b.cost_usd - a.cost_usd || b.calls - a.calls);
  return (
    <Table caption="Usage by tool">
      <Thead>
        <Th>Tool</Th>
        <Th numeric>Calls</Th>
        <Th numeric>Failed</Th>
        <Th numeric>Average time</Th>
        <Th numeric>Spend</Th>
      </Thead>
      <Tbody>
        {rows.map((row) => (
          <Tr key={row.tool}>
            <Td head>
              <a href={`/tools/${encodeURIComponent(row.tool)}`} className="hover:underline">
                {row.tool}
              </a>
            </Td>
            <Td label="Calls" numeric>
              {row.calls.toLocaleString('en-US')}
            </Td>
            <Td label="Failed" numeric title={formatCount(row.failed, 'failed call')}>
              {row.failed.toLocaleString('en-US')}
            </Td>
            <Td label="Average time" numeric>
              {formatDuration(row.avg_latency_ms)}
            </Td>
            <Td label="Spend" numeric>
              <Money usd={row.cost_usd} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
