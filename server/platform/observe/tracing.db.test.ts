import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createTestServer } from '@/test/support/test-server';
import { createLogger } from '../../kit/log';
import { PACE, type Pace } from '../settings/pace';
import { Tracing } from './tracing';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
  links?: { traceId: string; spanId: string }[];
}

/** Shared by all tests, each of which starts its own process on this database. */
let base: Harness;
beforeAll(async () => {
  base = await startHarness({ role: 'command' });
});
afterAll(() => base.close());

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A collector that stores the spans it receives, or misbehaves as specified. */
async function startCollector(misbehave?: 'hang' | 'refuse') {
  const spans: SentSpan[] = [];
  const headers: Record<string, unknown>[] = [];
  const resources: unknown[] = [];
  const server: Server = createTestServer((req, res) => {
    let text = '';
    req.on('data', (chunk) => {
      text += chunk;
    });
    req.on('end', () => {
      headers.push({ ...req.headers, path: req.url });
      if (misbehave === 'hang') return;
      if (misbehave === 'refuse') return void res.writeHead(400).end('{}');
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        resources.push(resource);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, headers, resources };
}

async function startTraced(
  url: string,
  env: Record<string, string> = {},
  pace: Partial<Pace> = {},
): Promise<Harness> {
  const harness = await startHarness({
    role: 'web',
    peer: base,
    pace: { traceBatchMs: 100, ...pace },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, WAIT_SECONDS: '10', ...env },
  });
  closing.push(() => harness.close());
  await harness.runtime.observer.tracing?.ready;
  return harness;
}

const getAttributes = (span: SentSpan) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const call = (skill: string, input: object) => ({ tool: 'diagnostics', skill, input });

describe('traces', () => {
  it('show a call as a request with its parts, within the client’s trace', async () => {
    const collector = await startCollector();
    const harness = await startTraced(collector.url, {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one%20two,authorization=secret-of-collector',
      OTEL_SERVICE_NAME: 'gateway-under-test',
    });
    const { key, keyId, accountId } = await harness.person(1_000_000n);
    harness.runtime.keyStates.report(keyId, 1_000_000_000n, []);
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const sent = `00-${traceId}-b7ad6b7169203331-01`;
    const answer = await harness.request('POST', '/v1/tools/call', {
      key,
      json: call('echo', { message: 'words of a client' }),
      headers: { traceparent: sent },
    });
    expect(answer.status).toBe(200);
    // Nothing is known of its key, so the call is admitted before it starts.
    const other = await harness.person(1_000_000n);
    await harness.request('POST', '/v1/tools/call', {
      key: other.key,
      json: call('flaky', { mode: 'throw' }),
    });
    await harness.request('GET', '/healthz');
    await harness.request('GET', '/openapi.json');
    await harness.stop(5_000);

    const ours = collector.spans.filter((span) => span.traceId === traceId);
    const byName = new Map(ours.map((span) => [span.name, span]));
    const request = byName.get('POST /v1/tools/call') as SentSpan;
    expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331', kind: 2 });
    expect(getAttributes(request)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/tools/call',
      'http.response.status_code': 200,
      'gateway.account.id': accountId,
    });
    // An echo runs before it is admitted, without spans for opening and closing.
    for (const part of ['prepare', 'attempt', 'commit'])
      expect(byName.get(`gateway.call.${part}`)?.parentSpanId, part).toBe(request.spanId);
    const attempt = byName.get('gateway.call.attempt') as SentSpan;
    expect(getAttributes(attempt)).toMatchObject({ 'gateway.tool': 'diagnostics', 'gateway.skill': 'echo' });

    const others = collector.spans.filter((span) => span.traceId !== traceId).map(({ name }) => name);
    for (const part of ['prepare', 'open', 'attempt', 'close'])
      expect(others).toContain(`gateway.call.${part}`);
    const failed = collector.spans.find(
      (span) => span.traceId !== traceId && span.name === 'gateway.call.attempt',
    ) as SentSpan;
    expect(failed.status.code).toBe(2);
    expect(getAttributes(failed)['error.type']).toBe('HANDLER_ERROR');
    // The failure's log line leads to its trace.
    const line = harness.log.map((text) => JSON.parse(text)).find(({ message }) => message === 'tool.failed');
    expect(line).toMatchObject({ trace_id: failed.traceId, account_id: other.accountId });

    expect(collector.headers[0]).toMatchObject({ path: '/v1/traces', 'x-tenant': 'one two' });
    expect(JSON.stringify(collector.resources)).toContain('gateway-under-test');
    const roots = collector.spans.filter(({ kind }) => kind === 2).map(({ name }) => name);
    expect(roots.sort()).toEqual(['GET /openapi.json', 'POST /v1/tools/call', 'POST /v1/tools/call']);
    const text = JSON.stringify(collector.spans);
    expect(text).not.toContain('words of a client');
    expect(text).not.toContain(key);
    expect(harness.log.join('')).not.toContain('secret-of-collector');
  });

  it('link the run of a queued call to the request that queued it', async () => {
    const collector = await startCollector();
    const harness = await startTraced(collector.url);
    const { key } = await harness.person(1_000_000n);
    const answer = await harness.request('POST', '/v1/tools/call', {
      key,
      json: call('background', { seconds: 0.2, steps: 1 }),
    });
    expect(answer.status).toBe(200);
    await harness.stop(5_000);
    const run = collector.spans.find(({ name }) => name === 'gateway.queue.run') as SentSpan;
    const request = collector.spans.find(({ name }) => name === 'POST /v1/tools/call') as SentSpan;
    expect(run.traceId).not.toBe(request.traceId);
    expect(run.links).toMatchObject([{ traceId: request.traceId, spanId: request.spanId }]);
    const attempt = collector.spans.find(({ name }) => name === 'gateway.call.attempt');
    expect(attempt).toMatchObject({ traceId: run.traceId, parentSpanId: run.spanId });
  });

  it('follow the client’s decision, otherwise the configured ratio', async () => {
    const collector = await startCollector();
    const harness = await startTraced(collector.url, { OTEL_TRACES_SAMPLER_ARG: '0' });
    const sampled = '1'.repeat(32);
    await harness.request('GET', '/v1/tools');
    await harness.request('GET', '/v1/tools', {
      headers: { traceparent: `00-${sampled}-${'2'.repeat(16)}-01` },
    });
    await harness.request('GET', '/v1/tools', {
      headers: { traceparent: `00-${'3'.repeat(32)}-${'2'.repeat(16)}-00` },
    });
    for (const wrong of ['', 'x', `00-${'0'.repeat(32)}-${'2'.repeat(16)}-01`, `00-${'4'.repeat(31)}-2-01`])
      await harness.request('GET', '/v1/tools', { headers: { traceparent: wrong } });
    await harness.stop(5_000);
    expect(collector.spans.map(({ traceId }) => traceId)).toEqual([sampled]);
  });

  it('send nothing of the trace to the hosts that tools call', async () => {
    const collector = await startCollector();
    const asked: Record<string, unknown>[] = [];
    const thirdParty = createTestServer((req, res) => {
      asked.push(req.headers);
      res.end('hello');
    });
    await new Promise<void>((resolve) => thirdParty.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => thirdParty.close(resolve)));
    const { port } = thirdParty.address() as AddressInfo;
    const harness = await startTraced(collector.url, { OUTBOUND_ALLOW: `127.0.0.1:${port}` });
    const { ports, observer } = harness.runtime;
    const response = await ports.outbound(`http://127.0.0.1:${port}/secret-path?token=secret-token`);
    expect(await response.text()).toBe('hello');
    await harness.stop(5_000);
    expect(asked).toHaveLength(1);
    for (const name of ['traceparent', 'tracestate', 'baggage']) expect(asked[0]).not.toHaveProperty(name);
    const span = collector.spans.find(({ name }) => name === 'GET 127.0.0.1') as SentSpan;
    expect(getAttributes(span)).toMatchObject({
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    });
    expect(JSON.stringify(collector.spans)).not.toMatch(/secret-(path|token)/);
    expect(await observer.metrics.text()).toMatch(
      /gateway_outbound_request_duration_seconds_count\{outcome="2xx"\} 1/,
    );
  });

  it.each(['hang', 'refuse', 'away'] as const)(
    'disturb nothing if the collector does this: %s',
    async (how) => {
      const collector = how === 'away' ? { url: 'http://127.0.0.1:9' } : await startCollector(how);
      const harness = await startTraced(collector.url, {}, { traceExportMs: 100 });
      const { key } = await harness.person(1_000_000n);
      for (let i = 0; i < 30; i++) {
        const answer = await harness.request('POST', '/v1/tools/call', {
          key,
          json: call('echo', { message: i }),
        });
        expect(answer.status).toBe(200);
      }
      const failures = () => harness.runtime.observer.tracing?.failedExports ?? 0;
      await vi.waitFor(() => expect(failures()).toBeGreaterThan(0), { timeout: 30_000 });
      await harness.request('GET', '/v1/tools');
      await harness.stop(0);
      const warned = harness.log.filter((line) => line.includes('trace.export_failed'));
      expect(warned).toHaveLength(1);
    },
  );

  it('are closed within the time limit if the collector hangs', async () => {
    const { url } = await startCollector('hang');
    const settings = { url, headers: {}, serviceName: 'gateway', ratio: 1 };
    const tracing = new Tracing(
      settings,
      { ...PACE, traceExportMs: 3_600_000 },
      createLogger(() => undefined),
    );
    await tracing.ready;
    await tracing.span('work', {}, async () => undefined);
    // The export itself would take an hour.
    await tracing.close(20);
    expect(tracing.failedExports).toBe(0);
  });

  it('are not recorded without a collector', async () => {
    const harness = await startHarness({ role: 'web', peer: base });
    closing.push(() => harness.close());
    expect(harness.runtime.observer.tracing).toBeNull();
  });
});
