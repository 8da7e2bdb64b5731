import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';

let harness: Harness;
let key: string;

beforeAll(async () => {
  harness = await startHarness({ listen: true });
  key = (await harness.person(1_000_000n)).key;
});
afterAll(async () => {
  await harness.close();
});

async function post(path: string, json: unknown, as?: string) {
  const headers = { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) };
  const response = await fetch(`${harness.baseUrl}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(json),
  });
  return { status: response.status, body: (await response.json()) as { error?: { message: string } } };
}

const call = (tool: string, skill: string, input: object, as = key) =>
  post('/v1/tools/call', { tool, skill, input }, as);

/** Each level multiplies the depth of the one before. */
const times10 = (name: string, of: string) => `${name}(x)=${`${of}(`.repeat(10)}x${')'.repeat(10)}`;
const ISSUE = ['f(x)={a:x}', times10('g', 'f'), times10('h', 'g'), times10('k', 'h'), 'k(k(0))'].join(';');

describe('an output of any depth ends only its call, and the gateway keeps running @F15', () => {
  it('for a key without an account and the free math.evaluate', async () => {
    const provisioned = await post('/v1/auth/provision', {});
    const anonymous = (provisioned.body as { api_key?: string }).api_key ?? '';
    for (const expression of [
      ISSUE,
      ISSUE.replace('k(k(0))', 'k(k(k(0)))'),
      ISSUE.replace('k(k(0))', 'h(0)'),
    ]) {
      const { status } = await call('math', 'evaluate', { expression }, anonymous);
      expect([200, 400, 502]).toContain(status);
      expect(await call('math', 'evaluate', { expression: '1 + 1' }, anonymous)).toMatchObject({
        status: 200,
      });
    }
  });

  it.each([
    [1_000, [200]],
    [1_001, [400, 502]],
    [2_000, [400, 502]],
    [3_000, [400, 502]],
    [100_000, [400, 502]],
  ])('%i levels created by a program', async (depth, statuses) => {
    const code = `let v = 0; for (let i = 0; i < ${depth}; i++) v = i % 2 ? [v] : { a: v }; v`;
    const { status, body } = await call('code', 'run_javascript', { code });
    expect(statuses).toContain(status);
    if (status !== 200)
      expect(body.error?.message).toMatch(
        /deeper than 1000 levels|cannot be serialized as JSON|limits of the sandbox/,
      );
    expect(await call('code', 'run_javascript', { code: '6 * 7' })).toMatchObject({ status: 200 });
  });
});
