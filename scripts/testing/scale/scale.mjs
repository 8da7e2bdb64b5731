// The step `scale` of `npm test`: the three processes of compose.yaml count, hold and stop as one, and outlive each other.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAccount } from '../crash/accounts.mjs';
import { Checks } from '../crash/checks.mjs';
import { diagnostics, send } from '../crash/client.mjs';
import { Load } from '../crash/load.mjs';
import { runTwoProcesses } from '../crash/two-processes.mjs';
import { Cluster } from './cluster.mjs';
import { countOf, judgeLoad } from './judge.mjs';

/** @typedef {import('./cluster.mjs').Cluster} ClusterType */

const results = fileURLToPath(new URL('../../../test-results', import.meta.url));
const REVOKED_MS = 1_000;
const CANCELLED_MS = 2_000;
const LOOK_MS = 20;
const JOB_MS = 20_000;
const SILENCE_MS = 1_000;
const LIVE_MS = 10_000;
const BETWEEN_KILLS_MS = 1_500;
const LOAD = { quick: 6, sync: 3, stream: 2, batch: 1, job: 3 };

/** @returns {Promise<import('../acceptance.mjs').Count>} */
export async function runScale() {
  const checks = new Checks();
  console.log('\n  Two web processes and a worker, as compose.yaml has them');
  const cluster = await Cluster.start({ LEASE_SECONDS: '4' }, { 'web-2': { WAIT_SECONDS: '0.5' } });
  try {
    const [first, second] = cluster.webs;
    if (!first || !second) throw new Error('compose.yaml has fewer than two web processes');
    const asGateway = (/** @type {import('./member.mjs').Member} */ web) => ({
      baseUrl: web.baseUrl,
      admin: cluster.admin,
    });
    const pair = { first: asGateway(first), second: asGateway(second), sql: cluster.sql };
    await runTwoProcesses(checks, /** @type {any} */ ({ ...pair, stop: async () => undefined }));
    const { keys } = await createAccount(pair.first, 'scale', { keys: 4, creditUsd: 5 });
    const urls = [first.baseUrl, second.baseUrl];
    await revokeEverywhere(checks, urls, keys);
    await runByWorker(checks, urls, String(keys[0]));
    await cancelInWorker(checks, urls, String(keys[0]));
    await tellPages(checks, cluster, urls, String(keys[0]));
  } finally {
    keepLog('scale', cluster.log());
    await cluster.stop();
  }
  console.log('\n  One of three is killed under load');
  await killUnderLoad(checks);
  const { passed, failed, failures } = checks;
  return { passed, failed, skipped: 0, notes: [], failures };
}

/** @param {string} name @param {string} text */
function keepLog(name, text) {
  mkdirSync(join(results, 'scale'), { recursive: true });
  writeFileSync(join(results, 'scale', `${name}.log`), text);
}

/**
 * @param {Checks} checks
 * @param {string[]} urls
 * @param {string[]} keys
 */
async function revokeEverywhere(checks, urls, [owner = '', , victim = '']) {
  const list = await send(`${urls[0]}/v1/keys`, owner, 'GET');
  const ids = list.body.keys.map((/** @type {any} */ key) => key);
  const row = ids.find(
    (/** @type {any} */ key) =>
      victim.startsWith(key.key_prefix.slice(0, 12)) && victim.endsWith(key.key_prefix.slice(-4)),
  );
  // Every process knows the key by now.
  for (const url of urls)
    await send(`${url}/v1/tools/call`, victim, 'POST', { json: diagnostics('echo', { message: 1 }) });
  const revoked = await send(`${urls[0]}/v1/keys/${row?.id}`, owner, 'DELETE');
  const at = performance.now();
  const refusedAfter = await Promise.all(
    urls.map(async (url) => {
      for (;;) {
        const { status } = await send(`${url}/v1/tools/call`, victim, 'POST', {
          json: diagnostics('echo', { message: 1 }),
        });
        if (status === 401 || performance.now() - at > 5 * REVOKED_MS) return performance.now() - at;
      }
    }),
  );
  checks.holds('a key revoked at one is refused by all within a second', [
    ...(revoked.status === 200 ? [] : [`revoking was answered ${revoked.status}`]),
    ...refusedAfter.filter((ms) => ms > REVOKED_MS).map((ms) => `refused after ${ms.toFixed(0)} ms`),
  ]);
}

/**
 * @param {Checks} checks
 * @param {string[]} urls
 * @param {string} key
 */
async function runByWorker(checks, [first, second], key) {
  const json = diagnostics('background', { seconds: 0.5, steps: 3 });
  const queued = await send(`${first}/v1/tools/call`, key, 'POST', { json, headers: { prefer: 'wait=0' } });
  const polled = await untilJob(
    `${second}/v1/jobs/${queued.body.job_id}`,
    key,
    ({ finished_at }) => finished_at,
  );
  checks.equals(
    'what one queues the worker runs, and the other tells',
    [queued.status, queued.body.status, polled.body.status, polled.body.result?.output?.steps_done],
    [202, 'pending', 'completed', 3],
  );
}

/**
 * @param {string} url of the job
 * @param {string} key
 * @param {(job: any) => unknown} isThere
 */
async function untilJob(url, key, isThere) {
  for (const end = performance.now() + JOB_MS; ; await sleep(LOOK_MS)) {
    const answer = await send(url, key, 'GET', { headers: { prefer: 'wait=0' } });
    if (isThere(answer.body) || performance.now() > end) return answer;
  }
}

/**
 * @param {Checks} checks
 * @param {string[]} urls
 * @param {string} key
 */
async function cancelInWorker(checks, [first, second], key) {
  const json = diagnostics('background', { seconds: 60, steps: 100 });
  const queued = await send(`${first}/v1/tools/call`, key, 'POST', { json, headers: { prefer: 'wait=0' } });
  const job = `/v1/jobs/${queued.body.job_id}`;
  await untilJob(second + job, key, ({ logs }) => logs?.length > 0);
  const at = performance.now();
  const cancelled = await send(`${second}${job}/cancel`, key, 'POST', { json: {} });
  const told = await send(first + job, key, 'GET', { headers: { prefer: 'wait=10' } });
  const ms = performance.now() - at;
  const shown = async () => JSON.stringify((await send(first + job, key, 'GET')).body.logs);
  const lines = await shown();
  await sleep(SILENCE_MS);
  const later = await shown();
  checks.equals(
    'a job that the worker runs is cancelled through a web process: it stops, the other tells',
    [cancelled.body.cancelled, told.body.status, ms < CANCELLED_MS, later],
    [true, 'cancelled', true, lines],
  );
}

/**
 * A page that is open at one process hears of a call at the other.
 * @param {Checks} checks
 * @param {ClusterType} cluster
 * @param {string[]} urls
 * @param {string} key
 */
async function tellPages(checks, { sql }, [first, second], key) {
  const token = randomBytes(32).toString('hex');
  const hash = createHash('sha256').update(token).digest('hex');
  await sql`
    insert into sessions (session_token, user_id, expires)
    select ${hash}, id, now() + interval '1 hour' from users where email = 'scale@crash.test'`;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), LIVE_MS);
  const heard = await fetch(`${second}/api/live`, {
    headers: { cookie: `next-auth.session-token=${token}` },
    signal: over.signal,
  })
    .then(async (response) => {
      void sleep(200).then(() =>
        send(`${first}/v1/tools/call`, key, 'POST', { json: diagnostics('spend', { amount_usd: 0.001 }) }),
      );
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (/"names":\[[^\]]*"[a-z]+/.test(text)) return `${response.status} changed`;
      }
      return `${response.status} ${text}`;
    })
    .catch(String);
  clearTimeout(timer);
  over.abort();
  checks.equals('an open page at one hears what happens at the other', heard, '200 changed');
}

/** @param {Checks} checks */
async function killUnderLoad(checks) {
  const cluster = await Cluster.start({
    LEASE_SECONDS: '4',
    WAIT_SECONDS: '1',
    RATE_PER_MINUTE: '100000',
    RATE_PER_HOUR: '1000000',
    CONCURRENT_CALLS: '24',
  });
  try {
    const account = await createAccount(cluster, 'killed', { keys: 6, creditUsd: 100 });
    const load = new Load(cluster, account.keys, { clients: LOAD });
    load.begin();
    try {
      for (const member of cluster.members) {
        await sleep(BETWEEN_KILLS_MS);
        const before = countOf(load.operations).answered;
        await member.dieAndReturn();
        const meanwhile = countOf(load.operations).answered - before;
        checks.holds(
          `while ${member.name} is away the others serve`,
          meanwhile > 0 ? [] : ['nothing was answered'],
        );
      }
      await sleep(BETWEEN_KILLS_MS);
      await load.end();
    } finally {
      load.abandon();
    }
    const { sent, answered, cut, refused } = countOf(load.operations);
    console.log(
      `  ${sent} requests, ${answered} answered, ${cut} cut off, ${refused} refused and sent again`,
    );
    await judgeLoad(checks, cluster, load.operations);
  } finally {
    keepLog('killed', cluster.log());
    await cluster.stop();
  }
}
