import { expect, it } from 'vitest';
import { GroupMetrics } from './group-metrics';
import { Metrics } from './metrics';

function createProcess({ running = 0, stopping = false } = {}): Metrics {
  return new Metrics({
    runningCalls: () => running,
    waitingRequests: () => 0,
    stopping: () => stopping,
    groups: () => ({ settle: { flushes: 1, items: 2, seconds: 3 } }),
    failedExports: () => 0,
    pool: () => ({ running: 0, waiting: 0 }),
  });
}

const requests = { method: 'GET', route: '/v1/tools', status: '2xx' };

async function readValue(group: GroupMetrics, name: string): Promise<number> {
  const line = (await group.text())
    .split('\n')
    .find((text) => text.startsWith(`${name} `) || text.startsWith(`${name}{`));
  return Number(line?.split(' ').at(-1));
}

it('adds counters, histograms and calls up, and not what all processes share', async () => {
  const group = new GroupMetrics(() => 2);
  for (const [index, running] of [3, 4].entries()) {
    const metrics = createProcess({ running, stopping: index === 0 });
    metrics.calls.inc({ tool: 'text', outcome: 'success', mode: 'request' }, 5);
    metrics.requests.observe(requests, 0.1);
    group.save(index, await metrics.snapshot());
  }
  expect(await readValue(group, 'gateway_running_calls')).toBe(7);
  expect(await readValue(group, 'gateway_calls_total')).toBe(10);
  expect(await readValue(group, 'gateway_http_request_duration_seconds_count')).toBe(2);
  expect(await readValue(group, 'gateway_group_commits_total')).toBe(2);
  expect(await readValue(group, 'gateway_stopping')).toBe(0);
  expect(await readValue(group, 'gateway_web_processes')).toBe(2);
  expect(await readValue(group, 'nodejs_version_info')).toBe(1);
});

it('keeps the counters of ended processes, so that no sum ever falls', async () => {
  const group = new GroupMetrics(() => 1);
  const metrics = createProcess({ running: 2 });
  metrics.calls.inc({ tool: 'text', outcome: 'success', mode: 'request' }, 5);
  metrics.requests.observe(requests, 0.1);
  for (const pid of [1, 2, 3]) group.save(pid, await metrics.snapshot());
  group.end(1);
  group.end(2);
  group.end(2);
  expect(await readValue(group, 'gateway_calls_total')).toBe(15);
  expect(await readValue(group, 'gateway_http_request_duration_seconds_bucket')).toBe(0);
  expect(await readValue(group, 'gateway_http_request_duration_seconds_count')).toBe(3);
  expect(await readValue(group, 'gateway_running_calls')).toBe(2);
});

it('counts replaced processes by reason', async () => {
  const group = new GroupMetrics(() => 1);
  group.countReplacement('crash');
  expect(await readValue(group, 'gateway_web_process_replacements_total{reason="crash"}')).toBe(1);
  expect(await readValue(group, 'gateway_web_process_replacements_total{reason="restart"}')).toBe(0);
});
