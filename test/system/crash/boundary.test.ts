// Handlers that finish just as their request stops waiting: one response and one charge each.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '@/server/calls/jobs/schema';
import { UNLIMITED_RATES } from '../../support/unlimited-rates';
import { type Account, createAccount, getBalance, listUsage } from '../fixtures/accounts';
import { embeddedDatabase, openDatabase } from '../fixtures/embedded-database';
import { startGateway, type TestGateway } from '../fixtures/gateway';
import { type Answer, diagnostics, microusd, send } from '../fixtures/gateway-client';
import { findSecrets } from '../fixtures/gateway-secrets';
import { waitForJob } from '../fixtures/jobs';
import { saveResult } from '../fixtures/test-results';

/** A call: its amount in micro-dollars (0 is free), its response, and its job if it became one. */
interface BoundaryCall {
  amount: number;
  answer: Answer;
  job: Partial<Job> | null;
}

const WAIT_SECONDS = 0.5;
const KEYS = 20;
const CALLS_PER_KEY = 5;
const CALLS = KEYS * CALLS_PER_KEY;
const MIN_ROUNDS = 2;
const MAX_ROUNDS = 20;
/** At least this many calls must end on each side of the boundary. */
const MIN_EACH = 30;
/** Largest distance from the middle; half of the handlers end within some milliseconds of it. */
const SPREAD_SECONDS = 0.05;
const CREDIT_USD = 5;

let gateway: TestGateway;
let account: Account;
let spent: number;
let jobCallIds: Set<string>;
const calls: BoundaryCall[] = [];
const withStatus = (status: number) => calls.filter(({ answer }) => answer.status === status);

beforeAll(async () => {
  gateway = await startGateway({ WAIT_SECONDS: String(WAIT_SECONDS), ...UNLIMITED_RATES });
  account = await createAccount(gateway, 'boundary', { keys: KEYS, creditUsd: CREDIT_USD });
  // A handler starts after its request, so adjust the middle to where both responses occur.
  let middle = WAIT_SECONDS;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (round >= MIN_ROUNDS && withStatus(200).length >= MIN_EACH && withStatus(202).length >= MIN_EACH)
      break;
    const sent = await sendRound(middle, round);
    calls.push(...sent);
    const share = sent.filter(({ answer }) => answer.status === 200).length / CALLS;
    middle += (share - 0.5) * 2 * SPREAD_SECONDS;
  }
  spent = account.credit - (await getBalance(gateway.baseUrl, account));
  const sql = openDatabase(embeddedDatabase(String(gateway.env.DATA_DIR)).url);
  const jobs = await sql<{ call_id: string }[]>`select call_id from jobs`;
  jobCallIds = new Set(jobs.map(({ call_id }) => call_id));
  await sql.end({ timeout: 1 });
});

afterAll(async () => {
  saveResult('crash/boundary.log', gateway.log());
  await gateway.stop();
});

test('a call that ends at the boundary returns 200 or 202 @E12', () => {
  const others = calls.filter(({ answer }) => ![200, 202].includes(answer.status));
  expect(others.map(({ answer }) => [answer.status, answer.body])).toEqual([]);
  expect(withStatus(200).length).toBeGreaterThanOrEqual(MIN_EACH);
  expect(withStatus(202).length).toBeGreaterThanOrEqual(MIN_EACH);
});

test('a call that returned its result has no job @E12', () => {
  const ids = withStatus(200).map(({ answer }) => answer.body.id ?? '');
  expect(ids.filter((id) => jobCallIds.has(id))).toEqual([]);
});

test('the job of each 202 completes with the result of its call @E12', () => {
  const wrong = withStatus(202).filter(({ answer, amount, job }) => {
    const cost = microusd(job?.result?.usage?.cost ?? Number.NaN);
    return job?.status !== 'completed' || job.result?.id !== answer.body.id || cost !== amount;
  });
  expect(wrong).toEqual([]);
});

test('each call has one usage record that matches its response', async () => {
  const records = await listUsage(gateway.baseUrl, account);
  expect(records).toHaveLength(calls.length);
  const wrong = calls.flatMap(({ answer, amount }) => {
    const own = records.filter(({ id }) => id === answer.body.id);
    const [record] = own;
    const agrees =
      own.length === 1 &&
      record !== undefined &&
      microusd(record.cost_usd) === amount &&
      (record.job_id !== null) === (answer.status === 202);
    return agrees ? [] : [`${answer.status} ${answer.body.id} of ${amount}: ${JSON.stringify(own)}`];
  });
  expect(wrong).toEqual([]);
});

test('the balance decreases by exactly the sum of the calls', () => {
  expect(spent).toBe(calls.reduce((sum, { amount }) => sum + amount, 0));
});

test('no secret is in the log, the database or a file', async () => {
  expect(await findSecrets(gateway, account.keys)).toEqual([]);
});

/** Sends as many calls at once as the concurrency slots of all keys allow. */
async function sendRound(middle: number, round: number): Promise<BoundaryCall[]> {
  const { baseUrl } = gateway;
  return await Promise.all(
    Array.from({ length: CALLS }, async (_, n) => {
      const key = account.keys[n % KEYS] ?? '';
      const place = (2 * n) / (CALLS - 1) - 1;
      const seconds = middle + SPREAD_SECONDS * place ** 3;
      const amount = n % 2 === 0 ? 0 : 100 + round * CALLS + n;
      const json =
        amount === 0
          ? diagnostics('sleep', { seconds })
          : diagnostics('spend', { amount_usd: amount / 1e6, seconds });
      const answer = await send(`${baseUrl}/v1/tools/call`, key, 'POST', { json });
      const job = answer.status === 202 ? await waitForJob(baseUrl, key, answer.body.job_id ?? '') : null;
      return { answer, amount, job };
    }),
  );
}
