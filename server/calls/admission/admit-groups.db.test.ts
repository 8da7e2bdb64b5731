import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';
import { type AdmitRequest, admitCalls } from './store';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const HOLD = 1_000n;

function createRequest({ keyId, accountId }: { keyId: string; accountId: string }): AdmitRequest {
  return {
    ...{ id: newId('call'), keyId, accountId, billing: 'personal', tool: 'math', skill: 'evaluate' },
    ...{ hold: HOLD, rulesVersion: 0, durable: true },
  };
}

it('each call of a group of several keys gets its own outcome, in any order of the keys', async () => {
  const { sql, quotas } = harness.runtime;
  const options = { fence: 'process', leaseSeconds: 60, quotas };
  for (const order of ['descending', 'ascending', 'mixed'] as const) {
    const people = await Promise.all([0n, HOLD, 0n, HOLD].map((balance) => harness.person(balance)));
    const sorted = people.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
    if (order === 'descending') sorted.reverse();
    const group = order === 'mixed' ? people : sorted;
    const credit = new Map(people.map(({ keyId }, index) => [keyId, index % 2 === 1]));
    const outcomes = (await admitCalls(sql, group.map(createRequest), options)).map(({ outcome }) => outcome);
    expect(outcomes, order).toEqual(group.map(({ keyId }) => (credit.get(keyId) ? 'opened' : 'account')));
  }
});

it('calls of one key are admitted in the order of the group', async () => {
  const { sql, quotas } = harness.runtime;
  const [first, other] = [await harness.person(2n * HOLD), await harness.person(HOLD)];
  const group = [first, other, first, first, other].map(createRequest);
  const results = await admitCalls(sql, group, { fence: 'process', leaseSeconds: 60, quotas });
  expect(results.map(({ outcome, available }) => [outcome, available])).toEqual([
    ['opened', HOLD],
    ['opened', 0n],
    ['opened', 0n],
    ['account', 0n],
    ['account', 0n],
  ]);
});
