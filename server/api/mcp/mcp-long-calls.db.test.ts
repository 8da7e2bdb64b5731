import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp, MCP_CLIENTS, type McpClient } from '@/test/support/mcp-client';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { readEvents } from '@/test/support/read-events';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { reconcile } from '../../money/reconcile/reconcile';
import { tools } from '../../tools/registry';
import { fetchAdapter } from '../dispatch/fetch-adapter';
import { META } from './meta';

const SOON = { timeout: 15_000, interval: 20 };
const PRICE_USD = Number(PROBE_PRICE) / 1e6;

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  const used = tools.filter(({ name }) => name === 'diagnostics');
  const env = UNLIMITED_RATES;
  harness = await startHarness({ role: 'web', listen: true, tools: [...used, probe.tool], env });
});
afterAll(() => harness.close());

async function fetchBalance(key: string): Promise<number> {
  return (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;
}

/** A waiting call, as a client of 2026-07-28 sends it to a Next route. */
function modernCall(key: string, id: string): Request {
  const { host } = new URL(harness.baseUrl);
  return new Request(`${harness.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      host,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'call_tool',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'call_tool',
        arguments: { tool: 'probe', skill: 'wait_paid', input: { id } },
        _meta: {
          progressToken: 1,
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
}

describe.each(MCP_CLIENTS)('the client %s', (kind) => {
  let key: string;
  let mcp: McpClient;
  beforeAll(async () => {
    ({ key } = await harness.person(1_000_000n));
    mcp = await connectMcp(harness.baseUrl, kind, key);
  });
  afterAll(() => mcp.close());

  it('receives increasing progress of a call', async () => {
    const notifications: { progress: number; total?: number | undefined; message?: string | undefined }[] =
      [];
    const input = { seconds: 1.5, log_every_seconds: 0.1 };
    const result = await mcp.callTool(
      'call_tool',
      { tool: 'diagnostics', skill: 'sleep', input },
      undefined,
      {
        onprogress: (progress) => notifications.push(progress),
      },
    );
    expect(result.structuredContent).toMatchObject({
      status: 'success',
      output: { log_lines: expect.any(Number) },
    });
    expect(notifications.length).toBeGreaterThanOrEqual(4);
    expect(notifications.some(({ message }) => message?.startsWith('slept'))).toBe(true);
    for (const [index, { progress }] of notifications.entries())
      if (index > 0)
        expect(progress).toBeGreaterThan((notifications[index - 1] as { progress: number }).progress);
    expect(notifications.at(-1)).toMatchObject({ total: 1 });
  });

  it.each([
    ['', 'wait_paid'],
    [' that a worker runs', 'queued_paid'],
  ])('cancels a call%s: its tool stops, and nothing is charged', async (name, skill) => {
    const id = `${kind}-cancel${name}`;
    const before = await fetchBalance(key);
    const abort = new AbortController();
    const call = { tool: 'probe', skill, input: { id } };
    const called = mcp
      .callTool('call_tool', call, undefined, { signal: abort.signal })
      .catch((error) => error);
    await probe.waitUntilStarted(id);
    abort.abort();
    expect(await called).toBeInstanceOf(Error);
    await expect
      .poll(async () => (await harness.request('GET', '/v1/usage/history', { key })).body.records[0], SOON)
      .toMatchObject({ skill, status: 'error', error_code: 'CANCELLED', cost_usd: 0 });
    expect(await fetchBalance(key)).toBe(before);
  });

  it.each([
    ['', undefined],
    [', with progress', () => undefined],
  ])('polls a long call as a job%s', async (name, onprogress) => {
    const id = `${kind}-long${name}`;
    const call = { tool: 'probe', skill: 'wait_paid', input: { id }, wait_seconds: 0 };
    const pending = await mcp.callTool('call_tool', call, undefined, onprogress ? { onprogress } : {});
    expect(pending.structuredContent).toMatchObject({
      status: 'pending',
      job_id: expect.stringMatching(/^job_/),
      poll_url: expect.stringContaining(harness.baseUrl),
      billed: false,
    });
    expect(JSON.stringify(pending.content)).toContain('get_job');
    const { job_id } = pending.structuredContent;
    const running = await mcp.callTool('get_job', { job_id, wait_seconds: 0 });
    expect(running.structuredContent).toMatchObject({ status: 'running', tool: 'probe' });
    const ended = mcp.callTool('get_job', { job_id });
    probe.release(id);
    expect((await ended).structuredContent).toMatchObject({
      status: 'completed',
      output: { id },
      usage: { cost: PRICE_USD },
    });
    const late = await mcp.callTool('cancel_job', { job_id });
    expect(late).toMatchObject({ isError: true, structuredContent: { error: { code: 'JOB_NOT_RUNNING' } } });
  });

  it('cancels a job, which costs nothing', async () => {
    const id = `${kind}-job`;
    const before = await fetchBalance(key);
    const call = { tool: 'probe', skill: 'wait_paid', input: { id }, wait_seconds: 0 };
    const { job_id } = (await mcp.callTool('call_tool', call)).structuredContent;
    expect((await mcp.callTool('cancel_job', { job_id })).structuredContent).toEqual({
      cancelled: true,
      job_id,
    });
    expect((await mcp.callTool('get_job', { job_id })).structuredContent.status).toBe('cancelled');
    expect(await fetchBalance(key)).toBe(before);
  });
});

it('stores one response per Idempotency-Key when a call with progress becomes a job', async () => {
  const impatient = await startHarness({
    role: 'web',
    tools: [probe.tool],
    env: { WAIT_SECONDS: '1' },
    peer: harness,
  });
  try {
    const { key } = await impatient.person(1_000_000n);
    const call = { tool: 'probe', skill: 'wait_paid', input: { id: 'promised' } };
    const _meta = { [META.idempotencyKey]: 'promised', progressToken: 1 };
    const params = { name: 'call_tool', arguments: call, _meta };
    const { text } = await impatient.request('POST', '/mcp', {
      key,
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    const first = readEvents(text).at(-1)?.data.result.structuredContent;
    expect(first).toMatchObject({ status: 'pending', billed: false });
    // Not awaited: the response is stored, although the call still runs.
    const headers = { 'idempotency-key': 'promised' };
    const again = await impatient.request('POST', '/v1/tools/call', { key, json: call, headers });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, 'true']);
    expect(again.body).toEqual(first);
  } finally {
    probe.release('promised');
    await impatient.close();
  }
});

describe('the request of a call', () => {
  it('that loses its connection before 2026-07-28 does not cancel the call, which becomes a job', async () => {
    const { key } = await harness.person(1_000_000n);
    const leaving = new AbortController();
    const sent = fetch(`${harness.baseUrl}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'call_tool',
          arguments: { tool: 'probe', skill: 'wait_paid', input: { id: 'lost' } },
          _meta: { progressToken: 1 },
        },
      }),
      signal: leaving.signal,
    }).then((response) => response.text());
    await probe.waitUntilStarted('lost');
    leaving.abort();
    await expect(sent).rejects.toThrow();
    await wait(100);
    probe.release('lost');
    await expect
      .poll(async () => (await harness.request('GET', '/v1/usage/history', { key })).body.records[0], SOON)
      .toMatchObject({ status: 'success', cost_usd: PRICE_USD });
  });

  it('is cancelled before 2026-07-28 by a message to another process', async () => {
    const { key } = await harness.person(1_000_000n);
    const { key: otherKey } = await harness.person();
    const other = await startHarness({ role: 'web', peer: harness, listen: true, tools: [probe.tool] });
    const post = (baseUrl: string, apiKey: string, session: string, message: object) =>
      fetch(`${baseUrl}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'mcp-session-id': session,
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      }).then(async (response) => ({ status: response.status, text: await response.text() }));
    const args = { tool: 'probe', skill: 'wait_paid', input: { id: 'elsewhere' } };
    const params = { name: 'call_tool', arguments: args };
    const called = post(harness.baseUrl, key, 'mine', { id: 1, method: 'tools/call', params });
    await probe.waitUntilStarted('elsewhere');
    const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
    // Neither another key nor another session of this key cancels: their request ids are the same.
    expect((await post(other.baseUrl, otherKey, 'mine', cancel)).status).toBe(202);
    expect((await post(other.baseUrl, key, 'other', cancel)).status).toBe(202);
    await wait(200);
    expect(harness.runtime.running.size).toBe(1);
    expect((await post(other.baseUrl, key, 'mine', cancel)).status).toBe(202);
    expect((await called).text).toContain('"isError":true');
    const { records } = (await harness.request('GET', '/v1/usage/history', { key })).body;
    expect(records).toEqual([expect.objectContaining({ error_code: 'CANCELLED', cost_usd: 0 })]);
    await other.close();
  });

  it('that is closed from 2026-07-28 on cancels the call, also behind Next', async () => {
    const { key } = await harness.person(1_000_000n);
    const answer = await fetchAdapter(harness.dispatcher)(modernCall(key, 'closed'));
    const reader = answer.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toContain('notifications/progress');
    await probe.waitUntilStarted('closed');
    await reader?.cancel();
    await expect
      .poll(async () => (await harness.request('GET', '/v1/usage/history', { key })).body.records[0], SOON)
      .toMatchObject({ status: 'error', error_code: 'CANCELLED', cost_usd: 0 });
  });

  it('leaves every account balanced after cancellations', async () => {
    await expect.poll(() => harness.runtime.running.size, SOON).toBe(0);
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
    expect(harness.runtime.notices.waiting).toBe(0);
  });
});
