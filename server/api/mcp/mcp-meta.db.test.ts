import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '@/test/support/harness';
import {
  newSecret,
  type ProviderFixture,
  SHARE_USD,
  startProviderFixture,
} from '@/test/support/provider-fixture';
import { readEvents } from '@/test/support/read-events';
import { META } from './meta';

let fixture: ProviderFixture;
let harness: Harness;
beforeAll(async () => {
  fixture = await startProviderFixture();
  ({ harness } = fixture);
});
afterAll(() => fixture.close());

/** tools/call without a socket: the response is an event stream with one message. */
async function callTool(key: string, name: string, args: object, meta: object) {
  const { text, status } = await harness.request('POST', '/mcp', {
    key,
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: meta } },
  });
  expect(status).toBe(200);
  return { text, result: readEvents(text)[0]?.data.result };
}

const ask = (units: number) => ({ tool: 'provider-probe', skill: 'ask', input: { units } });

describe('the Idempotency-Key in _meta', () => {
  const meta = { [META.idempotencyKey]: 'once-1' };

  it('shares its store with the REST header: a REST response is replayed over MCP', async () => {
    const { key } = await harness.person(1_000_000n);
    const headers = { 'idempotency-key': 'once-1' };
    const first = await harness.request('POST', '/v1/tools/call', { key, json: ask(2), headers });
    expect(first.status).toBe(200);
    const balance = await fixture.getBalance(key);
    const { result } = await callTool(key, 'call_tool', ask(2), meta);
    expect(result.structuredContent).toEqual(first.body);
    expect(result._meta).toMatchObject({ [META.replayed]: true });
    expect(result.content[1].text).toContain('stored result of an earlier request');
    expect(await fixture.getBalance(key)).toBe(balance);
    const other = await callTool(key, 'call_tool', ask(3), meta);
    expect(other.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'IDEMPOTENCY_MISMATCH', billed: false } },
    });
  });

  it('stores an MCP response that REST replays, with and without progress', async () => {
    const { key } = await harness.person(1_000_000n);
    const { result } = await callTool(key, 'call_tool', { ...ask(1), wait_seconds: 20 }, meta);
    expect(result._meta).not.toHaveProperty(META.replayed);
    const headers = { 'idempotency-key': 'once-1' };
    const rest = await harness.request('POST', '/v1/tools/call', { key, json: ask(1), headers });
    expect(rest.body).toEqual(result.structuredContent);
    expect(rest.headers['idempotent-replayed']).toBe('true');
    const { text } = await callTool(key, 'call_tool', ask(1), { ...meta, progressToken: 'p' });
    expect(text).toContain('notifications/progress');
    expect(text).toContain(`"id":"${rest.body.id}"`);
  });

  it('replays a failure whose text says that only a new key runs the call again', async () => {
    const { key } = await harness.person(1_000_000n);
    const failing = { tool: 'provider-probe', skill: 'ask', input: { mode: 'leak' } };
    const { result: first } = await callTool(key, 'call_tool', failing, meta);
    expect(first).toMatchObject({ isError: true });
    const { result: again } = await callTool(key, 'call_tool', failing, meta);
    expect(again).toMatchObject({ isError: true, _meta: { [META.replayed]: true } });
    const words = 'send no tool-gateway/idempotencyKey, or another one';
    expect([first, again].map(({ content }) => content[0].text.includes(words))).toEqual([false, true]);
  });

  it('stores one file, however often it is uploaded', async () => {
    const { key } = await harness.person();
    const file = { filename: 'a.txt', text: 'once' };
    const { result: first } = await callTool(key, 'upload_asset', file, meta);
    const { result: again } = await callTool(key, 'upload_asset', file, meta);
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect(again._meta).toMatchObject({ [META.replayed]: true });
  });

  it('is named in the error if it is not a string', async () => {
    const { key } = await harness.person();
    const { result } = await callTool(key, 'call_tool', ask(1), { [META.idempotencyKey]: 5 });
    expect(result.structuredContent.error).toMatchObject({
      code: 'INVALID_INPUT',
      fields: [{ path: `_meta.${META.idempotencyKey}` }],
    });
  });
});

describe('provider keys in _meta', () => {
  it('work like the REST headers, at the BYOK rate, and are never disclosed', async () => {
    const { key } = await harness.person(1_000_000n);
    const secret = newSecret();
    const { text, result } = await callTool(key, 'call_tool', ask(1), {
      [META.providerKeys]: { OpenAI: secret },
      progressToken: 1,
    });
    expect(text).toContain(`"cost":${SHARE_USD}`);
    expect(result).toBeUndefined();
    expect(fixture.openai.received.at(-1)).toMatchObject({ headers: { authorization: `Bearer ${secret}` } });
    const refused = await callTool(key, 'call_tool', ask(1), { [META.providerKeys]: { openai: [secret] } });
    expect(refused.result.structuredContent.error.fields[0].path).toBe(`_meta.${META.providerKeys}`);
    expect(text + refused.text + harness.log.join('\n')).not.toContain(secret);
  });
});

describe('a file for upload_asset', () => {
  it.each([
    [{ filename: 'a' }, 'INVALID_INPUT', 'text'],
    [{ filename: 'a', text: 'x', base64: 'eA==' }, 'INVALID_INPUT', 'text'],
    [{ filename: 'a', base64: 'no base64!' }, 'INVALID_INPUT', 'base64'],
    [{ filename: 'a', text: 'x'.repeat(700_001) }, 'PAYLOAD_TOO_LARGE', 'text'],
    [{ text: 'x' }, 'INVALID_INPUT', 'filename'],
  ])('is refused if it is invalid: %#', async (file, code, path) => {
    const { key } = await harness.person();
    const { result } = await callTool(key, 'upload_asset', file, {});
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code, fields: [{ path }] } },
    });
  });

  it('may have the documented maximum size', async () => {
    const { key } = await harness.person();
    const base64 = Buffer.alloc(700_000, 7).toString('base64');
    const { result } = await callTool(key, 'upload_asset', { filename: 'a.bin', base64 }, {});
    expect(result.structuredContent.size_bytes).toBe(700_000);
  });
});
