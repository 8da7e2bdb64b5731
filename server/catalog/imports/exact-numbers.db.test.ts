import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { type Harness, startHarness } from '@/test/support/harness';
import { callSkill, importForTest } from '@/test/support/import-fixture';
import { temporaryFolder } from '@/test/support/temporary-folder';

/** JSON of the upstream; the gateway may change no digit of it. */
const RESPONSE =
  '{"id":725653563933458433,"sum":12345678901234567.89,"e":1e400,"small":[0.1,9007199254740992,-5],"text":"725653563933458433 1e400"}';
const DELIVERED = {
  id: '725653563933458433',
  sum: '12345678901234567.89',
  e: '1e400',
  small: [0.1, 9007199254740992, -5],
  text: '725653563933458433 1e400',
};
const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer', format: 'int64' },
    sum: { type: 'number' },
    either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    name: { type: ['string', 'integer'] },
    list: { type: 'array', items: { type: 'integer', maximum: 9.3e18 } },
  },
};
const INPUT = {
  id: '725653563933458433',
  sum: '12345678901234567.89',
  either: '-9007199254740993',
  name: '9007199254740993',
  list: [1, '9223372036854775807'],
};
const SENT =
  '{"id":725653563933458433,"sum":12345678901234567.89,"either":-9007199254740993,"name":"9007199254740993","list":[1,9223372036854775807]}';

const document = (origin: string) => ({
  openapi: '3.1.0',
  info: { title: 'Records', version: '1' },
  servers: [{ url: origin }],
  paths: {
    '/records/{key}': {
      post: {
        operationId: 'save',
        parameters: [
          { name: 'key', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'after', in: 'query', schema: { type: 'integer' } },
          { name: 'X-Row', in: 'header', schema: { type: 'integer' } },
        ],
        requestBody: { content: { 'application/json': { schema: SCHEMA } } },
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: SCHEMA } } } },
      },
    },
    '/list': {
      get: {
        operationId: 'list',
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } },
      },
    },
  },
});

const tool = { name: 'save', inputSchema: SCHEMA, outputSchema: SCHEMA };
const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'records', version: '1' },
};
/** The reply to an MCP message, as text: `null` for a notification. */
const PROGRAM = `
const lines = require('node:readline').createInterface({ input: process.stdin });
const reply = (id, result) => process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}\\n');
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') reply(id, ${JSON.stringify(JSON.stringify(INITIALIZED))});
  else if (method === 'tools/list') reply(id, ${JSON.stringify(JSON.stringify({ tools: [tool] }))});
  else if (method === 'tools/call')
    reply(id, '{"content":[{"type":"text","text":' + JSON.stringify(line) + '}],"structuredContent":' + ${JSON.stringify(RESPONSE)}.replace('"text"', '"line":' + JSON.stringify(line) + ',"text"') + '}');
  else if (id !== undefined) process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"error":{"code":-32601,"message":"x"}}\\n');
});
`;

let harness: Harness;
let site: FakeSite;
let key: string;
/** The last request to an operation or tool, as sent. */
let sent: { url: string; header: unknown; body: string };
let isEventStream = false;

beforeAll(async () => {
  [harness, site] = await Promise.all([startHarness(), startFakeSite((...given) => void answer(...given))]);
  ({ key } = await harness.person(1_000_000n));
  const program = join(await temporaryFolder(), 'records.cjs');
  await writeFile(program, PROGRAM);
  const source = { kind: 'openapi' as const, url: `${site.origin}/openapi.json`, server: null };
  await importForTest(harness, { name: 'records', source });
  await importForTest(harness, {
    name: 'records-http',
    source: { kind: 'mcp-http', url: `${site.origin}/mcp` },
  });
  const stdio = { kind: 'mcp-stdio' as const, command: process.execPath, args: [program] };
  await importForTest(harness, { name: 'records-stdio', source: stdio });
});
afterAll(async () => {
  await harness?.close();
  await site?.close();
});
beforeEach(() => {
  isEventStream = false;
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const json = (text: string) => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  if (request.url === '/openapi.json') return void json(JSON.stringify(document(site.origin)));
  if (request.url !== '/mcp') {
    sent = { url: String(request.url), header: request.headers['x-row'], body };
    return void json(request.url === '/list' ? '[9007199254740993,1]' : RESPONSE);
  }
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method } = JSON.parse(body);
  const reply = (result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
  if (method === 'initialize') return void json(reply(JSON.stringify(INITIALIZED)));
  if (method === 'tools/list') return void json(reply(JSON.stringify({ tools: [tool] })));
  if (method !== 'tools/call') return void response.writeHead(id === undefined ? 202 : 404).end();
  sent = { url: '', header: null, body };
  const result = reply(`{"content":[],"structuredContent":${RESPONSE}}`);
  if (!isEventStream) return void json(result);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  // Pieces that end within a number.
  for (const piece of [
    `id: 9007199254740993\nevent: message\ndata: ${result}\n\n`.match(/.{1,90}/gs) ?? [],
  ].flat()) {
    response.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

describe.each(['records', 'records-http', 'records-stdio'])('numbers beyond a double, of %s', (name) => {
  const input = name === 'records' ? { ...INPUT, key: 1 } : INPUT;

  it('arrive as text with the digits that the upstream sent', async () => {
    for (const accept of ['application/json', 'text/event-stream']) {
      isEventStream = accept !== 'application/json';
      const answer = await callSkill(harness, key, `${name}.save`, input);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(answer.body.output).toMatchObject(DELIVERED);
    }
    const calls = [{ tool: name, skill: 'save', input }];
    const batch = await harness.request('POST', '/v1/tools/batch', { key, json: { calls } });
    expect(batch.body.results[0].output).toMatchObject(DELIVERED);
    const queued = await callSkill(harness, key, `${name}.save`, input, { Prefer: 'wait=0' });
    const { body } = await harness.request('GET', `/v1/jobs/${queued.body.job_id}?wait=10`, { key });
    expect(body.result ?? body.output ?? queued.body.output).toMatchObject(DELIVERED);
  });

  it('are sent as numbers with the digits of the text in the input', async () => {
    const { body } = await callSkill(harness, key, `${name}.save`, input);
    const written = name === 'records-stdio' ? body.output.line : sent.body;
    expect(written).toContain(SENT.slice(1, -1));
  });

  it('are refused as numbers in the input, naming the field', async () => {
    const text = JSON.stringify({ tool: name, skill: 'save', input }).replace(
      '"725653563933458433"',
      '725653563933458433',
    );
    const headers = { 'Content-Type': 'application/json' };
    const answer = await harness.request('POST', '/v1/tools/call', { key, raw: text, headers });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
    expect(answer.body.error.fields).toEqual([
      {
        path: 'input.id',
        message:
          '725653563933458433 would change as a JSON number. Send it as text, in quotes, or with fewer digits.',
      },
    ]);
  });

  it('are checked as numbers: other text, and numbers out of range, are refused', async () => {
    for (const [field, value] of [
      ['id', 'seven'],
      ['id', '1.5'],
      ['list', ['9400000000000000001']],
    ] as const) {
      const answer = await callSkill(harness, key, `${name}.save`, { ...input, [field]: value });
      expect(answer.status, JSON.stringify(answer.body)).toBe(400);
      expect(answer.body.error.message).toContain(field);
    }
  });
});

describe('digits in an operation', () => {
  it('keep their place in the path, the query and headers', async () => {
    const input = { key: '725653563933458433', after: '9007199254740993', 'X-Row': '9007199254740995' };
    const { status } = await callSkill(harness, key, 'records.save', input);
    expect(status).toBe(200);
    expect(sent).toMatchObject({
      url: '/records/725653563933458433?after=9007199254740993',
      header: '9007199254740995',
    });
  });

  it('are text in a response other than an object', async () => {
    expect((await callSkill(harness, key, 'records.list')).body.output).toEqual({
      data: ['9007199254740993', 1],
    });
  });
});
