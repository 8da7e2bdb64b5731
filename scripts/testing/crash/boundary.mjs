// A handler that ends just when its request stops waiting: one answer and one charge each.
import { setTimeout as sleep } from 'node:timers/promises';
import { balanceOf, createAccount, historyOf } from './accounts.mjs';
import { diagnostics, microusd, send } from './client.mjs';

/**
 * @typedef {import('./checks.mjs').Checks} Checks
 * @typedef {import('./gateway-pair.mjs').GatewayPair} GatewayPair
 * @typedef {{ answer: import('./client.mjs').Answer, amount: number, job: any }} Told amount in micro-dollars, 0: free
 */

const KEYS = 20;
const CALLS_PER_KEY = 5;
const ROUNDS = 2;
/** How far from the boundary a handler ends at most; half of them end within a few milliseconds of it. */
const SPREAD_SECONDS = 0.05;
const CREDIT_USD = 5;
const PAUSE_MS = 100;

/**
 * @param {Checks} checks
 * @param {GatewayPair} pair its second process alone is asked
 * @param {number} waitSeconds how long a request waits there
 */
export async function runBoundary(checks, { second, sql }, waitSeconds) {
  const { baseUrl } = second;
  const account = await createAccount(second, 'boundary', { keys: KEYS, creditUsd: CREDIT_USD });
  /** @type {Told[]} */
  const told = [];
  for (let round = 0; round < ROUNDS; round++) {
    told.push(...(await sendRound(baseUrl, account.keys, waitSeconds, round)));
    await sleep(PAUSE_MS);
  }
  const now = told.filter(({ answer }) => answer.status === 200);
  const later = told.filter(({ answer }) => answer.status === 202);
  console.log(`  ${told.length} calls: ${now.length} answered 200, ${later.length} answered 202`);
  const spent = account.credit - (await balanceOf(baseUrl, account));
  const jobs = await sql`select call_id from jobs`;
  const jobOf = new Set(jobs.map(({ call_id }) => call_id));

  const others = told.filter(({ answer }) => ![200, 202].includes(answer.status));
  checks.holds('a call that ends at the boundary is answered 200 or 202', [
    ...others.map(({ answer }) => JSON.stringify([answer.status, answer.body])),
    ...(now.length > 0 && later.length > 0 ? [] : ['all were answered alike: the boundary was not met']),
  ]);
  checks.holds('and never both: who was told the result has no job', [
    ...now.filter(({ answer }) => jobOf.has(answer.body.id)).map(({ answer }) => answer.body.id),
  ]);
  checks.holds('the job of each 202 completes with the result of its call', later.flatMap(wrongJob));
  checks.holds(
    'each has one usage record, which is what it was told',
    await wrongRecords(baseUrl, account, told),
  );
  const sum = told.reduce((all, { amount }) => all + amount, 0);
  checks.equals('the balance has fallen by exactly the sum', spent, sum);
}

/**
 * All at once: as many as the slots of all keys allow.
 * @param {string} baseUrl
 * @param {string[]} keys
 * @param {number} waitSeconds
 * @param {number} round
 * @returns {Promise<Told[]>}
 */
async function sendRound(baseUrl, keys, waitSeconds, round) {
  const total = KEYS * CALLS_PER_KEY;
  return await Promise.all(
    Array.from({ length: total }, async (_, n) => {
      const key = String(keys[n % KEYS]);
      const place = (2 * n) / (total - 1) - 1;
      const seconds = waitSeconds + SPREAD_SECONDS * place ** 3;
      const amount = n % 2 === 0 ? 0 : 100 + round * total + n;
      const json =
        amount === 0
          ? diagnostics('sleep', { seconds })
          : diagnostics('spend', { amount_usd: amount / 1e6, seconds });
      const answer = await send(`${baseUrl}/v1/tools/call`, key, 'POST', { json });
      const job =
        answer.status === 202 ? await untilEnded(`${baseUrl}/v1/jobs/${answer.body.job_id}`, key) : null;
      return { answer, amount, job };
    }),
  );
}

/** @param {string} url @param {string} key */
async function untilEnded(url, key) {
  for (;;) {
    const { status, body } = await send(url, key, 'GET');
    if (status !== 200 || body.finished_at) return body;
  }
}

/** @param {Told} told @returns {string[]} */
function wrongJob({ answer, amount, job }) {
  const { result } = job;
  const isIt =
    job.status === 'completed' && result.id === answer.body.id && microusd(result.usage.cost) === amount;
  return isIt ? [] : [`${answer.body.id} of ${amount}: ${JSON.stringify(job)}`];
}

/**
 * @param {string} baseUrl
 * @param {import('./accounts.mjs').Account} account
 * @param {Told[]} told
 */
async function wrongRecords(baseUrl, account, told) {
  const records = await historyOf(baseUrl, account);
  const problems =
    records.length === told.length ? [] : [`${records.length} records of ${told.length} calls`];
  for (const { answer, amount } of told) {
    const own = records.filter(({ id }) => id === answer.body.id);
    const [record] = own;
    const isJob = (record?.job_id ?? null) !== null;
    if (own.length !== 1 || microusd(record.cost_usd) !== amount || isJob !== (answer.status === 202))
      problems.push(`${answer.status} ${answer.body.id} of ${amount}: ${JSON.stringify(own)}`);
  }
  return problems;
}
