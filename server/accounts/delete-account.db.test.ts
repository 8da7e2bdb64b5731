import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcile } from '../billing/reconcile';
import { sweep } from '../retention/sweep';
import { addAnswer, addJob } from '../testing/aged-rows';
import { type Harness, startHarness } from '../testing/harness';
import { deleteAccount } from './delete-account';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('a deleted account keeps its books, and nothing its calls were given, logged or answered', async () => {
  const { runtime } = harness;
  const { sql } = runtime;
  const [person, other] = [await harness.person(1_000_000n), await harness.person()];
  const spend = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
  await harness.ask('POST', '/v1/tools/call', { key: person.key, json: spend });
  for (const { accountId } of [person, other]) {
    await addJob(sql, { accountId, finished: '1 hour' });
    await addAnswer(sql, { accountId, created: '2 hours', finished: '1 hour' });
  }
  const running = await addJob(sql, { accountId: person.accountId });

  await deleteAccount(runtime, {
    kind: 'session',
    userId: person.userId,
    accountId: person.accountId,
    accountType: 'personal',
    accountFrozen: false,
    sessionId: 'x',
  });
  const ids = async (accountId: string) =>
    (await sql`select id from jobs where account_id = ${accountId}`).map(({ id }) => id);
  const answers = (accountId: string) => sql`select 1 from idempotency_keys where account_id = ${accountId}`;
  expect(await ids(person.accountId)).toEqual([running]);
  expect(await answers(person.accountId)).toHaveLength(0);
  expect(await ids(other.accountId)).toHaveLength(1);
  expect(await answers(other.accountId)).toHaveLength(1);
  expect(await sql`select 1 from usage_records where account_id = ${person.accountId}`).toHaveLength(1);
  expect((await reconcile(runtime)).differences).toEqual([]);

  // What still ran is forgotten by the first sweep after its end, not a week later.
  await sweep(runtime);
  expect(await ids(person.accountId)).toEqual([running]);
  await sql`update jobs set status = 'completed', result = '{}', finished_at = now() where id = ${running}`;
  expect((await sweep(runtime)).removed).toMatchObject({ jobsOfDeletedAccounts: 1, jobs: 0 });
  expect(await ids(person.accountId)).toEqual([]);
  expect(await ids(other.accountId)).toHaveLength(1);
});
