import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { GroupMetrics } from './group-metrics';
import { resolveRoute } from './routes';

const TOKEN = 'metrics-token-of-this-test';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    listen: true,
    env: { ACCESS_LOG: 'on', LOG_LEVEL: 'debug', METRICS_TOKEN: TOKEN, WAIT_SECONDS: '5' },
  });
});
afterAll(() => harness.close());

const send = (path: string, init: RequestInit = {}) => fetch(harness.baseUrl + path, init);
const lines = () => harness.log.map((line) => JSON.parse(line));

async function requestLine(requestId: string) {
  return await vi.waitFor(
    () => {
      const found = lines().find((line) => line.message === 'request' && line.request_id === requestId);
      expect(found).toBeDefined();
      return found;
    },
    { timeout: 10_000 },
  );
}

async function metrics(): Promise<string> {
  const response = await send('/metrics', { headers: { Authorization: `Bearer ${TOKEN}` } });
  expect(response.status).toBe(200);
  return await response.text();
}

describe('the request log', () => {
  it('has one line per call, with the caller and the call id', async () => {
    const { key, keyId, accountId } = await harness.person(1_000_000n);
    const response = await send('/v1/tools/call?secret=in-the-query', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'X-Request-Id': 'mine-1',
      },
      body: JSON.stringify({ tool: 'diagnostics', skill: 'echo', input: { message: 'private words' } }),
    });
    const body = await response.json();
    expect(response.status).toBe(200);
    expect(await requestLine('mine-1')).toMatchObject({
      level: 'info',
      method: 'POST',
      route: '/v1/tools/call',
      status: 200,
      account_id: accountId,
      key_id: keyId,
      call_id: body.call_id ?? expect.stringMatching(/^call_/),
      bytes: Number(response.headers.get('content-length')),
    });
    const text = harness.log.join('');
    expect(text).not.toContain('in-the-query');
    expect(text).not.toContain('private words');
    expect(text).not.toContain(key);
  });

  it('names routes by their template, and no path that a client made up', async () => {
    const { key } = await harness.person();
    await send('/v1/jobs/job_not_there', {
      headers: { Authorization: `Bearer ${key}`, 'X-Request-Id': 'job-1' },
    });
    await send('/v1/no-such-secret-path', { headers: { 'X-Request-Id': 'other-1' } });
    expect(await requestLine('job-1')).toMatchObject({
      route: '/v1/jobs/{jobId}',
      status: 404,
      error_code: 'NOT_FOUND',
    });
    expect(await requestLine('other-1')).toMatchObject({ route: 'other', status: 404 });
    expect(harness.log.join('')).not.toContain('no-such-secret-path');
    expect(await metrics()).not.toContain('no-such-secret-path');
  });

  it('logs monitoring requests only at the debug level', async () => {
    await send('/healthz', { headers: { 'X-Request-Id': 'probe-1' } });
    expect(await requestLine('probe-1')).toMatchObject({ level: 'debug', route: '/healthz' });
  });

  it('has one line per request, whatever line breaks and levels a client sends @D11', async () => {
    const forged = '\r\n{"level":"fatal","message":"forged"}\r\n\u001b[2J';
    const { key } = await harness.person(1_000_000n);
    const before = harness.log.length;
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const json = { tool: forged, skill: forged, input: { [forged]: forged } };
    const answers = [
      await send('/v1/tools/call', { method: 'POST', headers, body: JSON.stringify(json) }),
      await send('/v1/tools/call', {
        method: 'POST',
        headers,
        body: JSON.stringify({ tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } }),
      }),
      await send(`/v1/tools/search?q=${encodeURIComponent(forged)}`),
      await send(`/v1/tools/${encodeURIComponent(forged)}`),
      await send(`/files/${encodeURIComponent(forged)}`),
    ];
    for (const answer of answers) await answer.arrayBuffer();
    // Node's parser ends at line breaks in headers, so what follows is not a request.
    await rawRequest(
      `GET /v1/tools HTTP/1.1\r\nHost: x\r\nUser-Agent: a\r\n{"level":"fatal"}\r\nX-Request-Id: b\r\n\r\n`,
    );
    await rawRequest(
      `GET /v1/tools HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: {"level":"fatal"}\r\nUser-Agent: {"level":"fatal"}\r\n\r\n`,
    );
    await vi.waitFor(
      () => {
        const requests = lines()
          .slice(before)
          .filter((line) => line.message === 'request');
        expect(requests).toHaveLength(answers.length + 1);
      },
      { timeout: 10_000 },
    );
    for (const text of harness.log) {
      expect(hasControl(text.trimEnd())).toBe(false);
      expect(['debug', 'info', 'warn', 'error']).toContain(JSON.parse(text).level);
    }
  });
});

/** Whether a text contains characters that control a terminal or break lines. */
function hasControl(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}

/** Sends bytes as they are. */
function rawRequest(bytes: string): Promise<void> {
  const { port, hostname } = new URL(harness.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('error', reject);
    socket.on('data', () => undefined);
    socket.on('close', () => resolve());
  });
}

it.each([
  ['/', '/'],
  ['/?claim=clm_secret', '/'],
  ['/claim/clm_secret', '/claim/*'],
  ['/dashboard/keys?billing=x', '/dashboard/*'],
  ['/files/asset_1/secret.png', '/files/*'],
  ['/healthz?x', '/healthz'],
  ['/Claim/x', 'other'],
  ['/v1/tools', 'other'],
  ['//evil', 'other'],
  ['', 'other'],
])('%s is reported as %s', (target, route) => {
  expect(resolveRoute(target)).toBe(route);
});

describe('the metrics', () => {
  it('count requests, calls, refusals and money, with few labels', async () => {
    const { key } = await harness.person(1_000_000n);
    const call = (skill: string, input: object) =>
      harness.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input } });
    const before = await metrics();
    for (let i = 0; i < 3; i++) expect((await call('spend', { amount_usd: 0.01 })).status).toBe(200);
    expect((await call('flaky', { mode: 'throw' })).status).toBe(502);
    expect((await call('none', {})).status).toBe(404);
    const after = await metrics();
    const rise = (series: string) => readSample(after, series) - readSample(before, series);
    expect(rise('gateway_calls_total{tool="diagnostics",outcome="success",mode="request"}')).toBe(3);
    expect(rise('gateway_calls_total{tool="diagnostics",outcome="error",mode="request"}')).toBe(1);
    expect(rise('gateway_call_duration_seconds_count{tool="diagnostics",outcome="success"}')).toBe(3);
    expect(rise('gateway_charged_microusd_total{tool="diagnostics",credential="platform"}')).toBe(30_000);
    expect(readSample(after, 'gateway_group_commit_items_total{group="admit"}')).toBeGreaterThan(0);
    expect(readSample(after, 'gateway_database_up')).toBe(1);
    expect(readSample(after, 'gateway_open_calls')).toBe(0);
    expect(readSample(after, 'gateway_queue_jobs{state="waiting"}')).toBe(0);
    expect(after).toMatch(/^nodejs_eventloop_lag_seconds /m);
    expect(after).toMatch(/^process_resident_memory_bytes \d/m);
  });

  it('count refused HTTP requests by code', async () => {
    const before = readSample(await metrics(), 'gateway_refusals_total{code="AUTH_REQUIRED"}');
    expect((await send('/v1/jobs/job_1')).status).toBe(401);
    expect(readSample(await metrics(), 'gateway_refusals_total{code="AUTH_REQUIRED"}')).toBe(before + 1);
  });

  it('are a page in the Prometheus text format, with a type for every line', async () => {
    const text = await metrics();
    const typed = new Set([...text.matchAll(/^# TYPE (\S+) \w+$/gm)].map((match) => match[1]));
    for (const line of text.split('\n').filter((each) => each && !each.startsWith('#'))) {
      const [, name = ''] =
        /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (NaN|Nan|[+-]?Inf|-?[\d.e+-]+)$/.exec(line) ?? [];
      expect(typed.has(name) || typed.has(name.replace(/_(bucket|sum|count)$/, '')), line).toBe(true);
    }
  });

  it('are all documented, and the documentation and alert rules name only existing ones', async () => {
    await metrics();
    const { registry } = harness.runtime.observer.metrics;
    const ofGroup = (await new GroupMetrics(() => 1).text()).matchAll(/^# TYPE (gateway_\w+)/gm);
    const all = [
      ...registry.getMetricsAsArray().map(({ name }) => name),
      ...[...ofGroup].map(([, name]) => name),
    ];
    const ours = all.filter((name) => name?.startsWith('gateway_'));
    const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const documented = [...(await read('docs/operations.md')).matchAll(/^\| `(gateway_\w+)`/gm)].map(
      ([, name]) => name,
    );
    expect(documented.sort()).toEqual(ours.sort());
    for (const [name] of (await read('deploy/prometheus-alerts.yml')).matchAll(/\b(gateway|nodejs)_\w+/g)) {
      const base = name.replace(/_(bucket|count|sum)$/, '');
      expect(all.includes(base) || all.includes(name), name).toBe(true);
    }
  });

  it('require their bearer token', async () => {
    const ask = (headers: Record<string, string>, method = 'GET') => send('/metrics', { headers, method });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ Authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await ask({ Authorization: `Bearer ${TOKEN}x` })).status).toBe(401);
    expect((await ask({ Authorization: `Basic ${TOKEN}` })).status).toBe(401);
    const { key } = await harness.person();
    expect((await ask({ Authorization: `Bearer ${key}` })).status).toBe(401);
    const head = await ask({ Authorization: `Bearer ${TOKEN}` }, 'HEAD');
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const post = await ask({ Authorization: `Bearer ${TOKEN}` }, 'POST');
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(harness.log.join('')).not.toContain(TOKEN);
  });

  it('are served without the database, and report that it is down', async () => {
    const alone = await startHarness({ peer: harness, env: { METRICS_TOKEN: TOKEN } });
    try {
      await alone.runtime.sql.end({ timeout: 0 });
      const page = await alone.request('GET', '/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
      expect(page.status).toBe(200);
      expect(readSample(page.text, 'gateway_database_up')).toBe(0);
      expect(page.text).not.toMatch(/^gateway_open_calls \d/m);
      const ready = await alone.request('GET', '/readyz');
      expect(ready).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
      expect(ready.body.error.message).toContain('database');
      expect((await alone.request('GET', '/healthz')).status).toBe(200);
    } finally {
      await alone.close();
    }
  });
});

function readSample(text: string, series: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

describe('without a metrics token', () => {
  it('a local start serves this machine directly, but no request through a proxy or a browser page', async () => {
    const local = await startHarness({ peer: harness });
    try {
      const ask = async (ip: string, headers: Record<string, string> = {}) =>
        (await local.request('GET', '/metrics', { ip, headers })).status;
      expect(await ask('127.0.0.1')).toBe(200);
      expect(await ask('::1')).toBe(200);
      expect(await ask('::ffff:127.0.0.1')).toBe(200);
      expect(await ask('10.0.0.7')).toBe(404);
      expect(await ask('127.0.0.1.evil.example')).toBe(404);
      expect(await ask('')).toBe(404);
      expect(await ask('127.0.0.1', { 'x-forwarded-for': '10.0.0.7' })).toBe(404);
      expect(await ask('127.0.0.1', { origin: 'http://evil.example' })).toBe(404);
      expect(await ask('127.0.0.1', { 'sec-fetch-site': 'cross-site' })).toBe(404);
      // A DNS name that points here: such a request has no Origin header.
      expect(await ask('127.0.0.1', { host: 'evil.example:3000' })).toBe(404);
      expect(await ask('127.0.0.1', { host: 'localhost:3000' })).toBe(200);
    } finally {
      await local.close();
    }
  });

  it('production has no metrics page', async () => {
    const production = await startHarness({
      peer: harness,
      env: {
        GATEWAY_ENV: 'production',
        BASE_URL: 'https://gateway.example.com',
        SMTP_URL: 'smtp://127.0.0.1:1',
      },
      role: 'command',
    });
    try {
      const answer = await production.request('GET', '/metrics');
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    } finally {
      await production.close();
    }
  });
});

describe('readiness', () => {
  it('queries the database at most once a second, however many probes arrive', async () => {
    const { health } = harness.runtime.observer;
    await expect.poll(() => harness.runtime.notices.receivesOwnNotice(1_000)).toBe(true);
    const spy = vi.spyOn(harness.runtime.notices, 'receivesOwnNotice');
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      for (const asked of [1, 2]) {
        vi.advanceTimersByTime(1_001);
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => harness.request('GET', '/readyz')),
        );
        expect(answers.every(({ status, body }) => status === 200 && body.status === 'ready')).toBe(true);
        expect(spy).toHaveBeenCalledTimes(asked);
      }
      vi.advanceTimersByTime(1_000);
      expect(await health.failedChecks()).toEqual([]);
      expect(spy).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
      spy.mockRestore();
    }
  });

  it('ends as soon as the process is stopping, while requests are still answered', async () => {
    const leaving = await startHarness({ peer: harness });
    try {
      await expect.poll(async () => (await leaving.request('GET', '/readyz')).status).toBe(200);
      leaving.runtime.observer.health.markStopping();
      const answer = await leaving.request('GET', '/readyz');
      expect(answer).toMatchObject({ status: 503, body: { error: { retry_after: 1 } } });
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.body.error.message).toBe('This process is not ready: stopping.');
      expect((await leaving.request('GET', '/healthz')).status).toBe(200);
      const { key } = await leaving.person(1_000_000n);
      const call = { tool: 'diagnostics', skill: 'echo', input: { message: 1 } };
      expect((await leaving.request('POST', '/v1/tools/call', { key, json: call })).status).toBe(200);
    } finally {
      await leaving.close();
    }
  });

  it('is refused if the tables are not those of this version', async () => {
    const old = await startHarness({ role: 'command' });
    try {
      const { sql } = old.runtime;
      await sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`;
      const answer = await old.request('GET', '/readyz');
      expect([answer.status, answer.body.error.message]).toEqual([
        503,
        'This process is not ready: migrations.',
      ]);
    } finally {
      await old.close();
    }
  });

  it('is refused if no notification can be received', async () => {
    const deaf = await startHarness({ peer: harness, role: 'command' });
    try {
      deaf.runtime.notices.close();
      const answer = await deaf.request('GET', '/readyz');
      expect([answer.status, answer.body.error.message]).toEqual([
        503,
        'This process is not ready: listener.',
      ]);
    } finally {
      await deaf.close();
    }
  });

  it('accepts only GET and HEAD', async () => {
    expect((await harness.request('HEAD', '/readyz')).status).toBe(200);
    expect((await harness.request('POST', '/readyz')).status).toBe(405);
    expect((await harness.request('DELETE', '/healthz')).status).toBe(405);
  });
});
