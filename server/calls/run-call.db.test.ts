import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const spend = (amountUsd: number) => ({
  tool: 'diagnostics',
  skill: 'spend',
  input: { amount_usd: amountUsd },
});
const findAccount = async (id: string) => {
  const [row] = await harness.runtime.sql`select * from accounts where id = ${id}`;
  return row;
};

describe('a call', () => {
  it('works without sign-up: provision a key, then call a tool', async () => {
    const provisioned = await harness.request('POST', '/v1/auth/provision');
    expect(provisioned.status).toBe(201);
    const call = await harness.request('POST', '/v1/tools/call', {
      key: provisioned.body.api_key,
      json: { tool: 'math', skill: 'evaluate', input: { expression: '2 * (3 + 4)' } },
    });
    expect(call.body).toMatchObject({ status: 'success', usage: { cost: 0 }, meta: { tool: 'math' } });
  });

  it('reports its cost and charges exactly that', async () => {
    const person = await harness.person(1_000_000n);
    const call = await harness.request('POST', '/v1/tools/call', { key: person.key, json: spend(0.25) });
    expect(call.body.usage).toMatchObject({ cost: 0.25, markup: 0.25, raw_cost: 0, credits_remaining: 0.75 });
    expect(call.body.billed).toBe(true);
    expect(await findAccount(person.accountId)).toMatchObject({
      balance_microusd: 750_000n,
      held_microusd: 0n,
    });
  });

  it('two hundred concurrent calls over ten keys with a balance for 37 run exactly 37 and end at zero @A1', async () => {
    const person = await harness.person(37n * 10_000n);
    const keys = [person.key];
    for (let i = 1; i < 10; i++) keys.push((await harness.addKey(person.accountId)).key);
    // Five slots per key: each key sends its twenty calls in fours, all keys concurrently.
    const answers = await Promise.all(
      keys.map(async (key) => {
        const own: number[] = [];
        for (let round = 0; round < 5; round++) {
          const four = Array.from({ length: 4 }, () =>
            harness.request('POST', '/v1/tools/call', { key, json: spend(0.01) }),
          );
          own.push(...(await Promise.all(four)).map((answer) => answer.status));
        }
        return own;
      }),
    );
    const statuses = answers.flat();
    expect(statuses.filter((status) => status === 200)).toHaveLength(37);
    expect(statuses.filter((status) => status === 402)).toHaveLength(163);
    expect(await findAccount(person.accountId)).toMatchObject({ balance_microusd: 0n, held_microusd: 0n });
  });
});
