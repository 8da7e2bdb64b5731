import { expect, it } from 'vitest';
import { buildSeries } from './over-time';

const NOTHING = {
  series: { tool: [], key: [], member: null, account: null },
  ...{ by_time: [], by_tool: [], by_key: [], keys_left_out: 0, by_member: null, by_account: null },
};

it('stacks the leading tools and the rest so that they sum to the total', () => {
  const tool = (name: string, calls: number[], cost_usd: number[]) => ({ id: name, name, calls, cost_usd });
  const series = [...'abcdefghij'].map((name, n) => tool(name, [n, 1], [0.1 * n, 0.000001]));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const report = {
    ...NOTHING,
    series: { ...NOTHING.series, tool: series },
    by_tool: series.map((each) => ({
      tool: each.id,
      calls: sum(each.calls),
      failed: 0,
      cost_usd: sum(each.cost_usd),
      avg_latency_ms: 1,
      trend: each.calls,
    })),
    by_time: [0, 1].map((at) => ({
      at: `${at}`,
      calls: sum(series.map(({ calls }) => calls[at] ?? 0)),
      cost_usd: Math.round(sum(series.map(({ cost_usd }) => cost_usd[at] ?? 0)) * 1e6) / 1e6,
    })),
  };
  const spend = buildSeries(report, 'tool', 'spend');
  expect(spend.map(({ name }) => name)).toEqual([...'jihgfedc', '2 other tools']);
  for (const at of [0, 1])
    expect(sum(spend.map(({ values }) => values[at] ?? 0))).toBeCloseTo(
      report.by_time[at]?.cost_usd ?? -1,
      9,
    );
  expect(buildSeries(NOTHING, 'tool', 'calls')).toEqual([]);
  // By key, the rest names the keys beyond those of the report too.
  const keys = { ...report, series: { ...report.series, key: series.slice(0, 3) }, keys_left_out: 7 };
  expect(buildSeries(keys, 'key', 'spend').at(-1)?.name).toBe('4 other keys');
});
