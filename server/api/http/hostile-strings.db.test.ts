import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointFuzz } from '@/test/support/fuzz/endpoints';
import {
  expectOnlyString,
  expectUnchanged,
  INJECTIONS,
  STRING_PLACES,
  startStringPlaces,
} from '@/test/support/fuzz/string-places';
import type { Harness } from '@/test/support/harness';
import { measureCpuMs } from '@/test/support/measure-cpu-ms';

let doors: EndpointFuzz;
let harness: Harness;
beforeAll(async () => {
  doors = await startStringPlaces();
  ({ harness } = doors);
});
afterAll(() => doors.close());

const ask = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
  harness.request(method, path, { key: doors.key, ...(json === undefined ? {} : { json }), headers });

describe('SQL in a string', () => {
  // Each place gets one of them, and each of them several places: the deep suite tries all.
  it.each(
    STRING_PLACES.map(([title, place], at) => [title, place, INJECTIONS[at % INJECTIONS.length] ?? '']),
  )('is only a string as %s @D4', (_, place, text) => expectOnlyString(place, text));

  it('changes nothing: the key works, every table exists and the ledger is consistent @D4', expectUnchanged);
});

describe('prototype names', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

  it.each(NAMES)('are unknown as names everywhere: %s @D2', async (name) => {
    for (const path of [
      `/v1/tools/${name}`,
      `/v1/tools/${name}/skills`,
      `/v1/keys/${name}`,
      `/v1/jobs/${name}`,
    ])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 404]);
    const call = (tool: string, skill: string) => ask('POST', '/v1/tools/call', { tool, skill, input: {} });
    expect((await call(name, 'x')).body.error.code).toBe('TOOL_NOT_FOUND');
    expect((await call('math', name)).body.error.code).toBe('SKILL_NOT_FOUND');
    const saved = await ask('PUT', `/v1/account/requirements/${name}`, { value: 'sk-0123456789' });
    expect(saved.status).toBe(404);
    expect((await ask('GET', `/v1/tools?category=${name}`)).body).toEqual({ tools: [] });
    const header = { [`x-provider-key-${name}`]: 'x' };
    const json = { tool: 'diagnostics', skill: 'echo', input: { message: 'a' } };
    expect((await ask('POST', '/v1/tools/call', json, header)).status).toBe(200);
  });

  it('in the input of a call pollute nothing @D2', async () => {
    for (const raw of [
      '{"tool":"diagnostics","skill":"echo","input":{"message":"a","__proto__":{"polluted":1}}}',
      '{"tool":"diagnostics","skill":"echo","input":{"message":"a","constructor":{"prototype":{"polluted":1}}}}',
      '{"__proto__":{"dry_run":true},"tool":"diagnostics","skill":"echo","input":{"message":"a"}}',
      '{"tool":"data","skill":"query","input":{"data":{"__proto__":{"polluted":1}},"expression":"a"}}',
    ]) {
      const answer = await harness.request('POST', '/v1/tools/call', { key: doors.key, raw });
      expect(answer.status).toBeLessThan(500);
      // A dry run that nothing requested would report whether the input is valid.
      expect(answer.body).not.toHaveProperty('input_valid');
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('a search', () => {
  const QUERIES = [
    'a '.repeat(250).trim(),
    '%'.repeat(500),
    '_%'.repeat(250),
    "a & b | !c <-> 'd':*",
    '('.repeat(500),
    'a'.repeat(500),
    'aaaaaaaaaaaaaaaaaaaaaaaa!'.repeat(20),
    '\\'.repeat(500),
    '🤖'.repeat(120),
    'résumé '.repeat(70),
  ];

  it.each(QUERIES)('for %s ends within two seconds @D3', async (q) => {
    // CPU time, as the index is in this process.
    const ms = await measureCpuMs(async () => {
      expect((await ask('GET', `/v1/tools/search?q=${encodeURIComponent(q)}`)).status).toBe(200);
    });
    expect(ms).toBeLessThan(2_000);
  });

  it('is refused if it is too long @D3', async () => {
    for (const q of ['a'.repeat(6_000), 'a '.repeat(900)])
      expect((await ask('GET', `/v1/tools/search?q=${encodeURIComponent(q)}`)).status).toBe(400);
  });
});

describe('Unicode in names', () => {
  it('is stored exactly as sent @D5', async () => {
    for (const name of [
      'caf\u00e9',
      'cafe\u0301',
      'р\u0430y',
      '\u202eevil',
      '🤖'.repeat(50),
      'ＡＢＣ',
      '<b>x</b>',
    ]) {
      const created = await ask('POST', '/v1/keys', { name });
      expect([created.status, created.body.name]).toEqual([201, name]);
      const read = await ask('GET', `/v1/keys/${created.body.id}`);
      expect(read.body.name).toBe(name);
    }
    const names = (await ask('GET', '/v1/keys')).body.keys.map((key: { name: string }) => key.name);
    // Two normal forms of one word are two names: nothing is normalised silently.
    expect(names).toEqual(expect.arrayContaining(['caf\u00e9', 'cafe\u0301']));
  });

  it('does not make a tool name from look-alike letters @D5', async () => {
    for (const name of ['m\u0430th', 'ｍａｔｈ', 'math\u200b', 'MATH', 'math\u0301'])
      expect((await ask('GET', `/v1/tools/${encodeURIComponent(name)}`)).status, name).toBe(404);
  });
});
