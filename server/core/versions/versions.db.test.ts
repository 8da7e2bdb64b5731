import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Harness, startHarness } from '@/test/support/harness';
import { readEvents } from '@/test/support/read-events';
import { openApiJson } from '../../api/openapi/openapi';
import type { Deprecations } from './deprecations';

const since = '2026-12-01T00:00:00Z';
const deprecations: Deprecations = {
  routes: {
    'GET /v1/usage': {
      since,
      sunset: '2027-06-30T23:59:59Z',
      link: '/docs/versioning#usage',
      replacement: 'GET /v1/usage/history',
    },
    'GET /v1/requirements': { since, link: '/docs/versioning#requirements' },
    'GET /v1/keys/{id}': { since, link: '/docs/versioning#key' },
  },
  tools: {
    math: { since, sunset: '2027-06-30T23:59:59Z', link: '/docs/versioning#math', replacement: 'code' },
    'diagnostics.echo': { since, link: 'https://elsewhere.test/echo' },
  },
};
const ENDING = (anchor: string) => ({
  deprecation: '@1796083200',
  sunset: 'Wed, 30 Jun 2027 23:59:59 GMT',
  link: `<http://gateway.test/docs/versioning#${anchor}>; rel="deprecation"; type="text/html", <http://gateway.test/docs/versioning#${anchor}>; rel="sunset"; type="text/html"`,
});
const OPEN_ENDED = (address: string) => ({
  deprecation: '@1796083200',
  link: `<${address}>; rel="deprecation"; type="text/html"`,
});
const MATH = ENDING('math');
const ECHO = OPEN_ENDED('https://elsewhere.test/echo');
const NOTHING = {};

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness({ deprecations });
  key = (await harness.person(1_000_000n)).key;
});
afterAll(() => harness.close());

function readNotice({ headers }: Answer) {
  return Object.fromEntries(
    ['deprecation', 'sunset', 'link'].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
const callJson = (tool: string, skill: string, input: object, more: object = {}) => ({
  json: { tool, skill, input, ...more },
  key,
});
const sum = { expression: '1 + 1' };

describe('deprecation headers', () => {
  it.each([
    ['success', 'GET', '/v1/usage', 200, true, ENDING('usage')],
    ['HEAD', 'HEAD', '/v1/usage', 200, true, ENDING('usage')],
    ['a wrong value', 'GET', '/v1/usage?period=never', 400, true, ENDING('usage')],
    ['no key', 'GET', '/v1/usage', 401, false, ENDING('usage')],
    [
      'something that is not there',
      'GET',
      '/v1/keys/key_none',
      404,
      true,
      OPEN_ENDED('http://gateway.test/docs/versioning#key'),
    ],
    ['another method of the same path', 'DELETE', '/v1/keys/key_none', 404, true, NOTHING],
    ['a method that the path does not support', 'POST', '/v1/usage', 405, true, NOTHING],
    ['a preflight', 'OPTIONS', '/v1/usage', 204, false, NOTHING],
    ['a path below', 'GET', '/v1/usage/history', 200, true, NOTHING],
    ['a route that is not deprecated', 'GET', '/v1/billing/balance', 200, true, NOTHING],
    ['the list of tools', 'GET', '/v1/tools', 200, false, NOTHING],
    ['a deprecated tool', 'GET', '/v1/tools/math', 200, false, MATH],
    ['its skills', 'HEAD', '/v1/tools/math/skills', 200, false, MATH],
    ['a tool with one deprecated skill', 'GET', '/v1/tools/diagnostics', 200, false, NOTHING],
    ['a tool that does not exist', 'GET', '/v1/tools/nope', 404, false, NOTHING],
    ['the document', 'GET', '/openapi.json', 200, false, NOTHING],
  ])('%s', async (_, method, target, status, withKey, expected) => {
    const answer = await harness.request(method, target, withKey ? { key } : {});
    expect([answer.status, readNotice(answer)]).toEqual([status, expected]);
  });

  it.each(['/v1/requirements', '/v1/tools/math'])(
    '%s: also on 304, and on cached responses @E18',
    async (target) => {
      const first = await harness.request('GET', target);
      expect(readNotice(first)).toHaveProperty('deprecation', '@1796083200');
      const again = await harness.request('GET', target, {
        headers: { 'if-none-match': String(first.headers.etag) },
      });
      expect(again.status).toBe(first.headers.etag ? 304 : 200);
      expect(readNotice(again)).toEqual(readNotice(first));
    },
  );

  it('are on calls of a deprecated tool, failed ones too @E18', async () => {
    const call = (options: object) => harness.request('POST', '/v1/tools/call', options);
    const well = callJson('math', 'evaluate', sum);
    const found = [
      await call(well),
      await call({ ...well, headers: { 'idempotency-key': 'once' } }),
      await call({ ...well, headers: { 'idempotency-key': 'once' } }),
      await call(callJson('math', 'evaluate', sum, { dry_run: true })),
      await call(callJson('math', 'evaluate', {})),
      await call(callJson('math', 'nope', {})),
      await call({ ...well, headers: { accept: 'text/event-stream' } }),
    ];
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 404, 200]);
    for (const answer of found) expect(readNotice(answer)).toEqual(MATH);
    expect(readNotice(await call(callJson('diagnostics', 'echo', { message: 'x' })))).toEqual(ECHO);
    expect(readNotice(await call(callJson('diagnostics', 'spend', { amount_usd: 0 })))).toEqual(NOTHING);
    // A request without a key has called no tool.
    expect(readNotice(await call({ ...well, key: undefined }))).toEqual(NOTHING);
  });

  it('are exposed to pages of other origins', async () => {
    const exposed = (await harness.request('GET', '/v1/usage', { key })).headers[
      'access-control-expose-headers'
    ];
    expect(exposed?.split(', ')).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
  });
});

describe('deprecation in bodies', () => {
  const math = {
    since: '2026-12-01T00:00:00.000Z',
    sunset: '2027-06-30T23:59:59.000Z',
    replacement: 'code',
    link: 'http://gateway.test/docs/versioning#math',
  };

  it('is in the catalogue on the tool and its skills, and nowhere else', async () => {
    const { tools } = (await harness.request('GET', '/v1/tools')).body;
    for (const tool of tools) {
      expect(tool.deprecated, tool.name).toEqual(tool.name === 'math' ? math : undefined);
      for (const skill of tool.skills)
        if (`${tool.name}.${skill.name}` === 'diagnostics.echo') expect(skill.deprecated.sunset).toBeNull();
        else expect(skill.deprecated).toEqual(tool.name === 'math' ? math : undefined);
    }
  });

  it('is in the meta of calls, of batch elements and of streams', async () => {
    const one = await harness.request('POST', '/v1/tools/call', callJson('math', 'evaluate', sum));
    expect(one.body.meta.deprecated).toEqual(math);
    const calls = [
      { tool: 'math', skill: 'evaluate', input: sum },
      { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0 } },
    ];
    const batch = await harness.request('POST', '/v1/tools/batch', { key, json: { calls } });
    // It applies to one element; the response as a whole is not deprecated.
    expect(readNotice(batch)).toEqual(NOTHING);
    expect(batch.body.results[0].meta.deprecated).toEqual(math);
    expect(batch.body.results[1].meta).not.toHaveProperty('deprecated');
    const stream = await harness.request('POST', '/v1/tools/call', {
      ...callJson('math', 'evaluate', sum),
      headers: { accept: 'text/event-stream' },
    });
    expect(readEvents(stream.text).at(-1)).toMatchObject({
      event: 'result',
      data: { meta: { deprecated: math } },
    });
  });
});

describe('deprecation in MCP', () => {
  const callTool = async (tool: string, skill: string, input: object) => {
    const answer = await harness.request('POST', '/mcp', {
      key,
      headers: { host: 'gateway.test', accept: 'application/json, text/event-stream' },
      json: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'call_tool', arguments: { tool, skill, input } },
      },
    });
    return answer.body?.result ?? readEvents(answer.text)[0]?.data.result;
  };

  it('is in _meta of a call, also of a refused one, and in its result', async () => {
    const notice = { 'tool-gateway/deprecated': { sunset: '2027-06-30T23:59:59.000Z', replacement: 'code' } };
    expect(await callTool('math', 'evaluate', sum)).toMatchObject({
      _meta: notice,
      structuredContent: { meta: { deprecated: notice['tool-gateway/deprecated'] } },
    });
    expect(await callTool('math', 'evaluate', {})).toMatchObject({ _meta: notice, isError: true });
    const other = await callTool('diagnostics', 'spend', { amount_usd: 0.001 });
    expect(other._meta).not.toHaveProperty('tool-gateway/deprecated');
    expect(other.structuredContent.status).toBe('success');
  });
});

describe('the OpenAPI document', () => {
  const document = JSON.parse(openApiJson(deprecations));

  it('marks a deprecated route with dates, replacement and response headers', async () => {
    const { get } = document.paths['/v1/usage'];
    expect(get.deprecated).toBe(true);
    expect(get['x-sunset']).toBe('2027-06-30T23:59:59Z');
    expect(get.description).toContain(
      'Deprecated since 2026-12-01. It may stop on 2027-06-30. Use `GET /v1/usage/history` instead. See /docs/versioning#usage.',
    );
    for (const response of Object.values<{ headers: object }>(get.responses))
      expect(Object.keys(response.headers)).toEqual(
        expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
      );
    expect((await harness.request('GET', '/openapi.json')).body.paths['/v1/usage'].get.deprecated).toBe(true);
  });

  it('does not mark other routes @E18', () => {
    const marked = Object.entries<Record<string, { deprecated?: boolean }>>(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).flatMap(([method, { deprecated }]) =>
          deprecated ? [`${method.toUpperCase()} ${path}`] : [],
        ),
    );
    expect(marked.sort()).toEqual(Object.keys(deprecations.routes).sort());
  });
});
