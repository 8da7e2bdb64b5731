import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness({ env: UNLIMITED_RATES });
  key = (await harness.person(1_000_000n)).key;
});
afterAll(() => harness.close());

const MIB = 1024 * 1024;
const call = (message: string) => `{"tool":"diagnostics","skill":"echo","input":{"message":${message}}}`;

const BOMBS: Record<string, [raw: string | Buffer, statuses: number[]]> = {
  'twenty thousand nested lists': [call(`${'['.repeat(20_000)}${']'.repeat(20_000)}`), [400]],
  'twenty thousand nested objects': [call(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`), [400]],
  'a million unclosed lists': ['['.repeat(MIB - 1), [400]],
  'a hundred thousand fields': [
    `{${Array.from({ length: 100_000 }, (_, n) => `"${n.toString(36)}":0`).join(',')}}`,
    [400, 413],
  ],
  'thirty megabytes': [Buffer.alloc(30 * MIB, 0x20), [413]],
  'an unpaired surrogate as bytes': [Buffer.from('{"tool":"\xed\xa0\x80"}', 'latin1'), [400]],
  'broken UTF-8': [Buffer.from('{"tool":"\xff\xfe"}', 'latin1'), [400]],
  'UTF-16': [Buffer.from(call('"a"'), 'utf16le'), [400]],
  NaN: [call('NaN'), [400]],
  Infinity: [call('-Infinity'), [400]],
  'a number of 500,000 digits': [call('9'.repeat(500_000)), [400]],
  'a comment': [`/* a */${call('"a"')}`, [400]],
  'a bare NUL': [call('"a\0b"'), [400]],
  'two values': [`${call('"a"')}${call('"b"')}`, [400]],
};

it.each(Object.entries(BOMBS))('refuses %s without a 500 @D1', async (_, [raw, statuses]) => {
  const answer = await harness.request('POST', '/v1/tools/call', { key, raw });
  expect(statuses).toContain(answer.status);
  expect(answer.body).toMatchObject({ status: 'error', error: { resolution_hint: expect.any(String) } });
});

it('refuses text that PostgreSQL cannot store @D1', async () => {
  for (const name of ['\\u0000', 'a\\u0000b']) {
    const answer = await harness.request('POST', '/v1/keys', { key, raw: `{"name":"${name}"}` });
    expect([name, answer.status, answer.body.error.code]).toEqual([name, 400, 'INVALID_INPUT']);
  }
  const half = await harness.request('POST', '/v1/keys', { key, raw: '{"name":"a\\ud800b"}' });
  expect([201, 400]).toContain(half.status);
});

it('skips a byte order mark, and uses the last of a repeated field @D1', async () => {
  const marked = await harness.request('POST', '/v1/tools/call', { key, raw: `\ufeff${call('"a"')}` });
  expect(marked).toMatchObject({ status: 200, body: { output: { message: 'a' } } });
  const raw = '{"tool":"nope","tool":"diagnostics","skill":"echo","input":{"message":"b"}}';
  expect(await harness.request('POST', '/v1/tools/call', { key, raw })).toMatchObject({
    status: 200,
    body: { output: { message: 'b' } },
  });
});
