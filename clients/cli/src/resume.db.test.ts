import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp } from '@/test/support/mcp-client';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { type CallEvent, createClient } from './client.js';
import { createCliSandbox } from './testing/cli-sandbox.js';
import { type CuttingProxy, startCuttingProxy } from './testing/cutting-proxy.js';

let first: Harness;
let second: Harness;
let key: string;
beforeAll(async () => {
  first = await startHarness({ role: 'web', listen: true, env: UNLIMITED_RATES });
  second = await startHarness({ role: 'web', listen: true, env: UNLIMITED_RATES, peer: first });
  ({ key } = await first.person());
});
afterAll(async () => {
  await second.close();
  await first.close();
});

const sleep = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 0.3, log_every_seconds: 0.1 } };

describe('behind a proxy that cuts each connection after one event', () => {
  let proxy: CuttingProxy;
  beforeAll(async () => {
    proxy = await startCuttingProxy(first.baseUrl, second.baseUrl);
  });
  afterAll(() => proxy.close());

  it('the client reads every event once, in order, from both processes', async () => {
    const client = createClient({ baseUrl: proxy.baseUrl, apiKey: key });
    const events: CallEvent[] = [];
    for await (const event of client.streamTool(sleep)) events.push(event);
    const names = events.map(({ event }) => event);
    expect([names[0], ...names.slice(-2)]).toEqual(['started', 'rate_limit', 'result']);
    const lines = events.flatMap((event) => (event.event === 'progress' ? [event.data.seq] : []));
    expect(lines).toEqual(lines.map((_, index) => index + 1));
    expect(events.at(-1)?.data).toMatchObject({ status: 'success', output: { log_lines: lines.length } });
    expect(proxy.requests.filter((path) => path === '/v1/tools/call')).toHaveLength(1);
    expect(proxy.requests).toHaveLength(events.length);
  });

  it('the CLI prints each line once and the result, for a call and for its job', async () => {
    const sandbox = await createCliSandbox({ TOOL_GATEWAY_URL: proxy.baseUrl, TOOL_GATEWAY_KEY: key });
    const args = ['--seconds', '0.3', '--log_every_seconds', '0.1'];
    const called = await sandbox.run(['call', 'diagnostics', 'sleep', ...args, '--stream']);
    expect(called).toMatchObject({ code: 0, json: { status: 'success' } });
    const jobId = called.json.id.replace('call_', 'job_');
    const followed = await sandbox.run(['jobs', 'follow', jobId]);
    expect(followed).toMatchObject({ code: 0, json: called.json });
    for (const { stderr } of [called, followed]) {
      const lines = stderr.split('\n').filter((line) => line.includes('"seq"'));
      expect(lines.map((line) => JSON.parse(line).seq)).toEqual(lines.map((_, index) => index + 1));
      expect(lines).toHaveLength(called.json.output.log_lines);
    }
    const rest = await sandbox.run(['jobs', 'follow', jobId, '--after', 'limits']);
    expect(rest.stderr).not.toContain('"seq"');
    expect(rest.json).toEqual(called.json);
    await sandbox.remove();
  });
});

it('a call that was cut over MCP is found by its job over MCP, REST and CLI in another process', async () => {
  const long = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 1, log_every_seconds: 0.1 } };
  const mcp = await connectMcp(first.baseUrl, '2025-11-25', key);
  let jobId = '';
  const cut = mcp
    .callTool('call_tool', long, undefined, {
      onprogress({ message }) {
        jobId ||= /job_\w+/.exec(message ?? '')?.[0] ?? '';
      },
    })
    .catch(() => null);
  await expect.poll(() => jobId).not.toBe('');
  // Closes the connection; for this client, that does not cancel the call.
  await mcp.close();
  await cut;
  const client = createClient({ baseUrl: second.baseUrl, apiKey: key });
  const events: CallEvent[] = [];
  for await (const event of client.followJob(jobId)) events.push(event);
  expect(events[0]?.data).toMatchObject({ events_url: `${second.baseUrl}/v1/jobs/${jobId}/events` });
  const other = await connectMcp(second.baseUrl, '2025-11-25', key);
  const job = await other.callTool('get_job', { job_id: jobId });
  await other.close();
  expect(job.structuredContent).toMatchObject({ status: 'completed', result: events.at(-1)?.data });
  const sandbox = await createCliSandbox({ TOOL_GATEWAY_URL: second.baseUrl, TOOL_GATEWAY_KEY: key });
  expect((await sandbox.run(['jobs', 'follow', jobId])).json).toEqual(events.at(-1)?.data);
  await sandbox.remove();
});
