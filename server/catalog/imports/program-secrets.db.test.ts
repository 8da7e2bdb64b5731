import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { callSkill, importForTest } from '@/test/support/import-fixture';
import { readEvents } from '@/test/support/read-events';

const SECRET = 'test-secret-that-a-program-leaks';

/** An MCP server that leaks its credential in every possible way. */
const LEAKING_SERVER = `
const secret = process.env.API_TOKEN;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const reply = (id, content, isError = false) => send({ id, result: { content, isError } });
const acts = {
  fail: (id) => reply(id, [{ type: 'text', text: 'no: ' + secret }], true),
  refuse: (id) => send({ id, error: { code: -32000, message: 'no: ' + secret } }),
  progress: (id, token) => {
    send({ method: 'notifications/progress', params: { progressToken: token, progress: 1, message: 'with ' + secret } });
    setTimeout(reply, 20, id, [{ type: 'text', text: 'done' }]);
  },
  named: (id) => reply(id, [{ type: 'resource', resource: { uri: 'x://' + secret, blob: btoa('fine') } }]),
  file: (id) => reply(id, [{ type: 'resource', resource: { uri: 'x://file', blob: btoa('it is ' + secret) } }]),
};
process.stderr.write('started with ' + secret);
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize')
    send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'telltale', version: '1' } } });
  else if (method === 'tools/list')
    send({ id, result: { tools: Object.keys(acts).map((name) => ({ name, inputSchema: { type: 'object' } })) } });
  else if (method === 'tools/call') acts[params.name](id, params._meta?.progressToken);
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } });
});`;

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness({ tools: [] });
  ({ key } = await harness.person(1_000_000n));
  await importForTest(harness, {
    name: 'telltale',
    source: { kind: 'mcp-stdio', command: process.execPath, args: ['-e', LEAKING_SERVER] },
    slot: {
      slot: 'telltale-token',
      carrier: { kind: 'env', variable: 'API_TOKEN' },
      scheme: null,
      displayName: null,
      acquireUrl: null,
      setupGuide: null,
      value: SECRET,
    },
  });
});
afterAll(() => harness?.close());

it.each(['fail', 'refuse', 'named', 'file'])(
  'hides a credential that a program leaks by %s',
  async (skill) => {
    const answer = await callSkill(harness, key, `telltale.${skill}`);
    expect(answer.status).toBe(skill === 'named' ? 200 : 502);
    expect(answer.text).not.toContain(SECRET);
    expect(answer.text).toMatch(skill === 'file' ? /contains its own credential/ : /\[provider key\]|asset_/);
    const leakedFiles = await harness.runtime
      .sql`select filename from assets where filename like ${`%${SECRET}%`}`;
    expect(leakedFiles).toHaveLength(0);
  },
);

it('hides a credential that a program leaks in its progress @C13 @F11', async () => {
  const { text } = await callSkill(harness, key, 'telltale.progress', {}, { accept: 'text/event-stream' });
  expect(readEvents(text).map(({ event }) => event)).toContain('result');
  expect(text).toContain('with [provider key]');
  expect(text).not.toContain(SECRET);
});

it('hides a leaked credential in the log of the gateway', () => {
  const log = harness.log.join('');
  expect(log).toContain('started with [provider key]');
  expect(log).not.toContain(SECRET);
});
