// Nothing is lost when a process dies: a gateway under load of every kind is killed ten times, and its database twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { bringSecrets, findSecrets } from '../gateway-secrets.mjs';
import { createAccount } from './accounts.mjs';
import { isQuiet, readBooks } from './books.mjs';
import { KILLS, killOften } from './killer.mjs';
import { Load } from './load.mjs';
import { MortalGateway } from './mortal-gateway.mjs';
import * as verdict from './verdict.mjs';
import { Watch } from './watch.mjs';

/** @typedef {import('./checks.mjs').Checks} Checks */

const LEASE_SECONDS = 4;
/** With so many processes a job dies at most (server/calls/running-calls.ts). */
const ATTEMPTS = 3;
/** The reaper comes twice a lease. */
const REAP_SECONDS = LEASE_SECONDS / 2;
const SLACK_SECONDS = 3;
const TWO_MINUTES = 120;
const QUIET_MS = 40_000;
const LOOK_MS = 250;
/** Cuts without which a run says little. */
const LEAST_CUTS = 20;

const SETTINGS = {
  LEASE_SECONDS: String(LEASE_SECONDS),
  WAIT_SECONDS: '1',
  RATE_PER_MINUTE: '100000',
  RATE_PER_HOUR: '1000000',
  CONCURRENT_CALLS: '12',
};
const ACCOUNTS = ['ada', 'bea', 'cid'];
const KEYS_PER_ACCOUNT = 5;
const CREDIT_USD = 50;

/**
 * @param {Checks} checks
 * @param {(log: string) => void} keepLog
 */
export async function runKillTest(checks, keepLog) {
  const gateway = await MortalGateway.start(SETTINGS);
  const made = ACCOUNTS.map((name) =>
    createAccount(gateway, name, { keys: KEYS_PER_ACCOUNT, creditUsd: CREDIT_USD }),
  );
  try {
    const accounts = await Promise.all(made);
    const load = new Load(
      gateway,
      accounts.flatMap(({ keys }) => keys),
    );
    const watch = new Watch(gateway);
    try {
      load.begin();
      await killOften(gateway);
      await load.end();
      const quiet = await untilQuiet(gateway);
      checks.holds('when all leases have run out nothing runs and nothing is in the queue', quiet);
    } finally {
      load.abandon();
      await watch.end();
    }
    const replays = await load.replay();
    await judge(checks, gateway, { load, watch, replays });
    const { keys } = await createAccount(gateway, 'secrets', { keys: 1, creditUsd: 1 });
    const secrets = await bringSecrets(gateway.baseUrl, String(keys[0]));
    const written = { env: { DATA_DIR: gateway.dataDir }, log: () => gateway.log() };
    const leaks = await findSecrets(written, secrets);
    checks.holds('no secret is in the log, the database or a file', leaks);
  } finally {
    keepLog(gateway.log());
    await gateway.stop();
  }
}

/** @param {MortalGateway} gateway */
async function untilQuiet({ sql }) {
  for (const end = performance.now() + QUIET_MS; performance.now() < end; await sleep(LOOK_MS))
    if (await isQuiet(sql)) return [];
  const left = await sql`
    select c.id, c.skill, c.fence, j.status, extract(epoch from clock_timestamp() - c.lease_expires_at)::int as overdue
    from calls c full join jobs j on j.call_id = c.id where j.finished_at is null`;
  return left.map((row) => `still there: ${JSON.stringify(row)}`);
}

/**
 * @param {Checks} checks
 * @param {MortalGateway} gateway
 * @param {{ load: Load, watch: Watch, replays: number }} seen
 */
async function judge(checks, gateway, { load, watch, replays }) {
  const { operations } = load;
  const books = await readBooks(gateway.sql);
  const { totals, charges } = books;
  const charged = charges.reduce((sum, { amount }) => sum + amount, 0);
  const credit = ACCOUNTS.length * CREDIT_USD * 1e6;
  showTable(gateway, operations, books, { watch, replays });

  checks.holds(
    'the load was cut off often enough to say something',
    saysSomething(gateway, operations, books),
  );
  checks.equals('reconcile finds no difference', (await reconcile(gateway)).differences, []);
  checks.holds('every accepted call is settled once, or released', verdict.endedOnce(books));
  checks.holds('what clients were told is what the books say', verdict.toldIsBooked(operations, books));
  checks.holds('every answer is what was asked for', verdict.answeredRight(operations));
  checks.holds(
    'no call is charged twice, and none that succeeded is free',
    verdict.chargedOnce(operations, books),
  );
  checks.equals('the charges are the fall of the balances', credit - totals.balance, charged);
  checks.equals('no call, held money or slot is left', [totals.open, totals.held, totals.running], [0, 0, 0]);
  checks.holds('nothing outlives its lease by more than the next look for it', stayedShort(gateway, watch));
  checks.holds('an Idempotency-Key has one answer, also after a crash', verdict.oneAnswerPerKey(operations));
  checks.equals('no Idempotency-Key is left without its answer', totals.unanswered, 0);
  checks.holds(
    'a queued idempotent job is completed, by another process if need be, or died with three of them',
    verdict.queuedAreCompleted(books, ATTEMPTS),
  );
  checks.holds('any other job is completed, or failed with a reason', verdict.jobsHaveEnded(books));
  checks.holds('what a poll said last is how the job has ended', verdict.polledIsTrue(operations, books));
}

/** @param {MortalGateway} gateway @returns {Promise<{ differences: object[] }>} */
async function reconcile(gateway) {
  // A difference makes the command end with 1: its words are the finding.
  return await gateway.admin('reconcile').catch((error) => ({ differences: [{ error: String(error) }] }));
}

/**
 * @param {MortalGateway} gateway
 * @param {Watch} watch
 */
function stayedShort({ longestDownMs }, { overdueSeconds, oldestSeconds, samples }) {
  const bound = REAP_SECONDS + longestDownMs / 1000 + SLACK_SECONDS;
  return [
    ...(overdueSeconds <= bound ? [] : [`${overdueSeconds} s past its lease, ${bound} s allowed`]),
    ...(oldestSeconds < TWO_MINUTES ? [] : [`a call was there for ${oldestSeconds} s`]),
    ...(samples > 0 ? [] : ['nobody looked']),
  ];
}

/**
 * @param {MortalGateway} gateway
 * @param {import('./operations.mjs').Operation[]} operations
 * @param {import('./books.mjs').Books} books
 */
function saysSomething(gateway, operations, { jobs, usage }) {
  const cuts = operations.reduce((sum, operation) => sum + operation.cuts, 0);
  const expected = {
    [`${KILLS} kills`]: gateway.kills === KILLS,
    [`${LEAST_CUTS} requests cut off`]: cuts >= LEAST_CUTS,
    'calls released after a crash': usage.some(({ status }) => status === 'error'),
    'jobs that were started again': jobs.some(({ attempts }) => attempts > 1),
    'restarts that adopted the running PostgreSQL': gateway.adoptions >= KILLS - 1,
  };
  return Object.entries(expected).flatMap(([what, seen]) => (seen ? [] : [`there were not: ${what}`]));
}

/**
 * @param {MortalGateway} gateway
 * @param {import('./operations.mjs').Operation[]} operations
 * @param {import('./books.mjs').Books} books
 * @param {{ watch: Watch, replays: number }} seen
 */
function showTable(gateway, operations, { usage, jobs, totals }, { watch, replays }) {
  const count = (/** @type {any[]} */ list, /** @type {(item: any) => unknown} */ is) =>
    list.filter(is).length;
  const sum = (/** @type {any[]} */ list, /** @type {string} */ name) =>
    list.reduce((all, item) => all + item[name], 0);
  console.log(
    `  killed ${gateway.kills} times, PostgreSQL ${gateway.databaseKills} times, adopted ${gateway.adoptions} times`,
  );
  console.log(`  kind      sent  answered  cut off  refused`);
  for (const kind of ['sync', 'stream', 'batch', 'job']) {
    const own = operations.filter((operation) => operation.kind === kind);
    const answered = count(own, ({ answers }) => answers.length > 0);
    const cells = [own.length, answered, sum(own, 'cuts'), sum(own, 'refusals')].map((n) =>
      String(n).padStart(8),
    );
    console.log(`  ${kind.padEnd(6)}${cells.join(' ')}`);
  }
  const settled = count(usage, ({ status }) => status === 'success');
  console.log(
    `  calls: ${totals.accepted} accepted, ${settled} settled, ${usage.length - settled} released, ${replays} keys replayed`,
  );
  const [completed, failed] = ['completed', 'failed'].map((status) =>
    count(jobs, (job) => job.status === status),
  );
  const again = count(jobs, ({ attempts }) => attempts > 1);
  console.log(`  jobs: ${completed} completed, ${failed} failed, ${again} started again`);
  console.log(
    `  longest: ${(gateway.longestDownMs / 1000).toFixed(1)} s down, ${watch.oldestSeconds.toFixed(1)} s open, ${watch.overdueSeconds.toFixed(1)} s past the lease`,
  );
}
