import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createReloadPerson, readReloadState, spend } from '@/test/support/reload-fixture';
import { ScriptedPayments } from '@/test/support/scripted-payments';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { reconcile } from '../reconcile/reconcile';
import { runReloads } from './run-reloads';

const payments = new ScriptedPayments();
let one: Harness;
let two: Harness;
beforeAll(async () => {
  const env = { ...UNLIMITED_RATES, CONCURRENT_CALLS: '1000' };
  const options = { role: 'web', ports: { payments }, env } as const;
  one = await startHarness(options);
  two = await startHarness({ ...options, peer: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const CALLS = 100;
const PRICE = 30_000n;
const CREDIT = 7_000_000n;
const AMOUNT = 20_000_000n;

it('makes one charge, credited once, for a hundred concurrent paid calls on two processes @A21', async () => {
  const person = await createReloadPerson(one, payments, {
    credit: CREDIT,
    threshold: 5_000_000n,
    amount: AMOUNT,
  });
  payments.delayMs = 50;
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, i) => spend(i % 2 ? one : two, person.key, PRICE)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(CALLS).fill(200));
  const after = CREDIT - BigInt(CALLS) * PRICE + AMOUNT;
  await expect
    .poll(() => readReloadState(one.runtime, person.accountId), { timeout: 15_000 })
    .toMatchObject({ balance: after, wanted: false, orders: [{ status: 'paid', attempts: 1 }], mails: [] });

  // Nothing remains to be done by either process.
  const { signal } = new AbortController();
  await Promise.all([runReloads(one.runtime, signal), runReloads(two.runtime, signal)]);
  expect(payments.requests).toHaveLength(1);
  expect(payments.paid).toHaveLength(1);
  expect((await reconcile(one.runtime)).differences).toEqual([]);
});

it('makes one attempt and sends one email for a hundred concurrent paid calls on a declined card @A21', async () => {
  const person = await createReloadPerson(one, payments, {
    credit: CREDIT,
    threshold: 5_000_000n,
    amount: AMOUNT,
  });
  const [before, paid] = [payments.requests.length, payments.paid.length];
  payments.outcomes.push({ declined: 'insufficient_funds' });
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, i) => spend(i % 2 ? one : two, person.key, PRICE)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(CALLS).fill(200));
  const declined = {
    balance: CREDIT - BigInt(CALLS) * PRICE,
    failures: 1,
    waits: true,
    enabled: true,
    orders: [{ status: 'failed', failure_code: 'insufficient_funds', attempts: 1 }],
    mails: ['reload_declined'],
  };
  await expect
    .poll(() => readReloadState(one.runtime, person.accountId), { timeout: 10_000 })
    .toMatchObject(declined);
  const { signal } = new AbortController();
  for (let round = 0; round < 3; round++)
    await Promise.all([runReloads(one.runtime, signal), runReloads(two.runtime, signal)]);
  expect(await readReloadState(one.runtime, person.accountId)).toMatchObject(declined);
  expect(payments.requests).toHaveLength(before + 1);
  expect(payments.paid).toHaveLength(paid);
  expect((await reconcile(one.runtime)).differences).toEqual([]);
});

it('charges each of ten accounts once when all cross the threshold at once', async () => {
  const before = payments.paid.length;
  const people = await Promise.all(
    Array.from({ length: 10 }, () => createReloadPerson(one, payments, { credit: 5_000_000n })),
  );
  await Promise.all(
    people.flatMap(({ key }) => Array.from({ length: 6 }, (_, i) => spend(i % 2 ? one : two, key, PRICE))),
  );
  for (const { accountId } of people)
    await expect
      .poll(() => readReloadState(one.runtime, accountId), { timeout: 15_000 })
      .toMatchObject({ balance: 5_000_000n - 6n * PRICE + AMOUNT, orders: [{ status: 'paid' }] });
  expect(payments.paid).toHaveLength(before + people.length);
  expect((await reconcile(one.runtime)).differences).toEqual([]);
});

it('charges from another process when one has stopped', async () => {
  const person = await createReloadPerson(one, payments, { credit: 5_000_000n });
  const three = await startHarness({ role: 'web', ports: { payments }, peer: one });
  await three.stop(0);
  await spend(one, person.key, PRICE);
  await expect
    .poll(() => readReloadState(one.runtime, person.accountId), { timeout: 15_000 })
    .toMatchObject({ orders: [{ status: 'paid', attempts: 1 }] });
});
