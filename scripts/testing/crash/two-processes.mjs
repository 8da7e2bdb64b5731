// Two processes on one database count, hold and stop as one.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { balanceOf, createAccount, historyOf } from './accounts.mjs';
import { diagnostics, send } from './client.mjs';

/**
 * @typedef {import('./checks.mjs').Checks} Checks
 * @typedef {import('./gateway-pair.mjs').GatewayPair} GatewayPair
 */

const MINUTE_QUOTA = 60;
const SLOTS = 5;
const EQUAL_CALLS = 50;
const PRICE_USD = 0.01;
const LOOK_MS = 20;
/** A handler that is told to stop has so long, and its last lines to arrive. */
const ABORT_MS = 1500;
const SILENCE_MS = 1000;

/** @param {string} baseUrl @param {string} key @param {object} json @param {Record<string, string>} [headers] */
const call = (baseUrl, key, json, headers) =>
  send(`${baseUrl}/v1/tools/call`, key, 'POST', { json, headers });

/**
 * @param {Checks} checks
 * @param {GatewayPair} pair
 */
export async function runTwoProcesses(checks, pair) {
  const account = await createAccount(pair.first, 'pair', { keys: 4, creditUsd: 5 });
  const [minute = '', slots = '', stopped = '', once = ''] = account.keys;
  await countMinute(checks, pair, minute);
  await countSlots(checks, pair, slots);
  await stopFromOther(checks, pair, stopped);
  await runOnce(checks, pair, { account, key: once });
}

/**
 * @param {Checks} checks
 * @param {GatewayPair} pair
 * @param {string} key
 */
async function countMinute(checks, { first, second }, key) {
  const counts = { 200: 0, minute: 0, other: 0 };
  for (let n = 0; n < 2 * MINUTE_QUOTA; n++) {
    const { baseUrl } = n % 2 === 0 ? first : second;
    const { status, body } = await call(baseUrl, key, diagnostics('echo', { message: n }));
    if (status === 200) counts[200]++;
    else if (status === 429 && body.error.limit === 'minute') counts.minute++;
    else counts.other++;
  }
  const expected = { 200: MINUTE_QUOTA, minute: MINUTE_QUOTA, other: 0 };
  checks.equals('120 calls in a minute over both: 60 succeed, 60 are refused', counts, expected);
}

/**
 * @param {Checks} checks
 * @param {GatewayPair} pair
 * @param {string} key
 */
async function countSlots(checks, { first, second, sql }, key) {
  let over = false;
  let most = 0;
  const watch = (async () => {
    while (!over) {
      const [row] = await sql`select count(*)::int as running from calls`;
      most = Math.max(most, row?.running);
      await sleep(LOOK_MS);
    }
  })();
  const answers = await Promise.all(
    Array.from({ length: 4 * SLOTS }, (_, n) =>
      call((n % 2 === 0 ? first : second).baseUrl, key, diagnostics('sleep', { seconds: 0.4 })),
    ),
  );
  over = true;
  await watch;
  const succeeded = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status, body }) => status === 429 && body.error.limit === 'concurrency');
  checks.equals(
    'never more than 5 calls of a key run at once, over both',
    { succeeded, refused: refused.length, most },
    { succeeded: SLOTS, refused: 3 * SLOTS, most: SLOTS },
  );
}

/**
 * The stream's lines come from the handler itself, not from the database: they tell whether it really stops.
 * @param {Checks} checks
 * @param {GatewayPair} pair
 * @param {string} key
 */
async function stopFromOther(checks, { first, second, sql }, key) {
  const accept = { accept: 'text/event-stream' };
  let endedAt = 0;
  const work = diagnostics('sleep', { seconds: 60, log_every_seconds: 0.1 });
  const stream = call(second.baseUrl, key, work, accept).then((answer) => {
    endedAt = performance.now();
    return answer;
  });
  const id = await untilJob(sql);
  const asFirst = `${first.baseUrl}/v1/jobs/${id}`;
  const seen = await send(asFirst, key, 'GET', { headers: { prefer: 'wait=0' } });
  checks.equals(
    'a job of one process is seen by the other',
    [seen.status, seen.body.status],
    [200, 'running'],
  );
  const cancelledAt = performance.now();
  const cancelled = await send(`${asFirst}/cancel`, key, 'POST', { json: {} });
  const late = await Promise.race([stream, sleep(ABORT_MS, null)]);
  const polled = await send(`${second.baseUrl}/v1/jobs/${id}`, key, 'GET');
  const lines = polled.body.logs?.length;
  await sleep(SILENCE_MS);
  const later = await send(`${second.baseUrl}/v1/jobs/${id}`, key, 'GET');
  const [slot] = await sql`select sum(running)::int as taken from api_keys`;
  checks.equals(
    'and cancelled through it: the handler stops, its lines end, its slot is free',
    {
      cancelled: cancelled.body.cancelled,
      aborted: late !== null && endedAt - cancelledAt < ABORT_MS,
      event: late?.events.at(-1)?.event,
      status: polled.body.status,
      lines: later.body.logs?.length,
      taken: slot?.taken,
    },
    { cancelled: true, aborted: true, event: 'error', status: 'cancelled', lines, taken: 0 },
  );
}

/** The id of the one job that runs, once there is one with lines. @param {GatewayPair['sql']} sql */
async function untilJob(sql) {
  for (;;) {
    const [job] = await sql`
      select j.id from jobs j join job_logs l on l.job_id = j.id where j.status = 'running' limit 1`;
    if (job) return job.id;
    await sleep(LOOK_MS);
  }
}

/**
 * @param {Checks} checks
 * @param {GatewayPair} pair
 * @param {{ account: import('./accounts.mjs').Account, key: string }} whose
 */
async function runOnce(checks, { first, second }, { account, key }) {
  const before = await balanceOf(first.baseUrl, account);
  const headers = { 'idempotency-key': randomUUID() };
  const json = diagnostics('spend', { amount_usd: PRICE_USD, seconds: 0.2 });
  const answers = await Promise.all(
    Array.from({ length: EQUAL_CALLS }, (_, n) =>
      call((n % 2 === 0 ? first : second).baseUrl, key, json, headers),
    ),
  );
  const charged = before - (await balanceOf(second.baseUrl, account));
  const runs = (await historyOf(first.baseUrl, account)).filter(({ skill }) => skill === 'spend');
  checks.equals(
    'fifty equal calls sent to both with one key: one run, one charge, one answer',
    {
      succeeded: answers.filter(({ status }) => status === 200).length,
      replayed: answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true').length,
      bodies: new Set(answers.map(({ body }) => JSON.stringify(body))).size,
      runs: runs.length,
      charged,
    },
    { succeeded: EQUAL_CALLS, replayed: EQUAL_CALLS - 1, bodies: 1, runs: 1, charged: PRICE_USD * 1e6 },
  );
}
