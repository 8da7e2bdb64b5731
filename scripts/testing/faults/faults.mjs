// What clients see when the database is away in each of the ways there are, and what the books say afterwards.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAccount } from '../crash/accounts.mjs';
import { isQuiet, readBooks } from '../crash/books.mjs';
import { Checks } from '../crash/checks.mjs';
import { Load } from '../crash/load.mjs';
import * as books from '../crash/verdict.mjs';
import { FaultyGateway } from './faulty-gateway.mjs';
import { Probes } from './probes.mjs';
import { recover } from './recovery.mjs';
import * as verdict from './verdict.mjs';

const logs = fileURLToPath(new URL('../../../test-results/faults', import.meta.url));

const SETTINGS = {
  LEASE_SECONDS: '30',
  WAIT_SECONDS: '1',
  RATE_PER_MINUTE: '100000',
  RATE_PER_HOUR: '1000000',
  CONCURRENT_CALLS: '30',
};
const ACCOUNTS = ['ada', 'bea'];
const KEYS_PER_ACCOUNT = 4;
const CREDIT_USD = 50;
const WARM_MS = 3_000;
const QUIET_MS = 60_000;
const LOOK_MS = 250;

/**
 * Each begins the fault, waits, and ends it.
 * @type {Record<string, (gateway: FaultyGateway) => Promise<void>>}
 */
const FAULTS = {
  async 'refuses connections'({ proxy }) {
    await proxy.refuse();
    await sleep(6_000);
    await proxy.pass();
  },
  async 'resets every connection, three times'({ proxy }) {
    for (let times = 0; times < 3; times++) {
      proxy.reset();
      await sleep(700);
    }
  },
  async 'says nothing more'({ proxy }) {
    proxy.hang();
    await sleep(16_000);
    await proxy.pass();
  },
  async 'is 500 ms away'({ proxy }) {
    proxy.slow({ latencyMs: 250 });
    await sleep(6_000);
    await proxy.pass();
  },
  async 'leaves no connection free'({ sql }) {
    // Every statement on accounts waits for this one: so all connections of the pool are held.
    await sql.begin(async (tx) => {
      await tx`lock table accounts in access exclusive mode`;
      await sleep(12_000);
    });
  },
  'is killed': (gateway) => gateway.restartDatabase('SIGKILL'),
  'is shut down fast, and started again': (gateway) => gateway.restartDatabase('SIGINT'),
};

/** @returns {Promise<import('../acceptance.mjs').Count>} */
export async function runFaults() {
  mkdirSync(logs, { recursive: true });
  const checks = new Checks();
  const gateway = await FaultyGateway.start(SETTINGS);
  try {
    await breakOften(checks, gateway);
  } finally {
    writeFileSync(join(logs, 'gateway.log'), gateway.log());
    await gateway.stop();
  }
  const { passed, failed, failures } = checks;
  return { passed, failed, skipped: 0, notes: [], failures };
}

/**
 * @param {Checks} checks
 * @param {FaultyGateway} gateway
 */
async function breakOften(checks, gateway) {
  const accounts = [];
  for (const name of ACCOUNTS)
    accounts.push(await createAccount(gateway, name, { keys: KEYS_PER_ACCOUNT, creditUsd: CREDIT_USD }));
  const { keys } = await createAccount(gateway, 'prober', { keys: 1, creditUsd: CREDIT_USD });
  const { keys: recovering } = await createAccount(gateway, 'returner', { keys: 1, creditUsd: CREDIT_USD });
  const load = new Load(
    gateway,
    accounts.flatMap((account) => account.keys),
  );
  const probes = new Probes(gateway.baseUrl, String(keys[0]));
  const { pid } = gateway;
  load.begin();
  try {
    await sleep(WARM_MS);
    checks.holds('all is well before', verdict.saysSo(probes.answers));
    for (const [name, fault] of Object.entries(FAULTS)) {
      const begun = performance.now();
      await fault(gateway);
      const { problems, ms } = await recover(gateway, String(recovering[0]));
      showFault(name, probes.sentSince(begun), ms);
      checks.holds(`a database that ${name}: all works again within 15 s`, problems);
    }
    await Promise.all([load.end(), probes.end()]);
    checks.holds('when all is over nothing runs and nothing is in the queue', await untilQuiet(gateway));
  } finally {
    load.abandon();
    await probes.end();
  }
  judgeAnswers(checks, probes.answers);
  checks.equals('it is the same process as before', alive(pid), true);
  const replays = await load.replay();
  console.log(`  ${load.operations.length} operations of the load, ${replays} keys replayed`);
  await judgeBooks(checks, gateway, load);
}

/**
 * @param {Checks} checks
 * @param {import('./probes.mjs').Answered[]} answers
 */
function judgeAnswers(checks, answers) {
  const refused = answers.filter(({ status }) => status === 503).length;
  checks.holds('the faults were felt', refused > 50 ? [] : [`only ${refused} requests were refused`]);
  checks.holds(
    'each request is answered, or refused with 503, the Error shape and Retry-After',
    verdict.saysSo(answers),
  );
  checks.holds('each is answered within 35 s', verdict.inTime(answers));
  checks.holds('a wrong key opens nothing', verdict.staysShut(answers));
  checks.holds('no answer tells of the insides', verdict.tellsNothing(answers));
}

/**
 * @param {Checks} checks
 * @param {FaultyGateway} gateway
 * @param {Load} load
 */
async function judgeBooks(checks, gateway, { operations }) {
  const found = await readBooks(gateway.sql);
  const { totals, charges } = found;
  const charged = charges.reduce((sum, { amount }) => sum + amount, 0);
  const credit = (ACCOUNTS.length + 2) * CREDIT_USD * 1e6;
  const { differences } = await gateway
    .admin('reconcile')
    .catch((/** @type {unknown} */ error) => ({ differences: [String(error)] }));
  checks.equals('reconcile finds no difference', differences, []);
  checks.holds('every accepted call is settled once, or released', books.endedOnce(found));
  checks.holds('what clients were told is what the books say', books.toldIsBooked(operations, found));
  checks.holds(
    'no call is charged twice, and none that succeeded is free',
    books.chargedOnce(operations, found),
  );
  checks.equals('the charges are the fall of the balances', credit - totals.balance, charged);
  checks.equals('no call, held money or slot is left', [totals.open, totals.held, totals.running], [0, 0, 0]);
  checks.holds('an Idempotency-Key has one answer', books.oneAnswerPerKey(operations));
  checks.equals('no Idempotency-Key is left without its answer', totals.unanswered, 0);
  checks.holds('a queued idempotent job is completed', books.queuedAreCompleted(found));
  checks.holds('what a poll said last is how the job has ended', books.polledIsTrue(operations, found));
}

/** @param {FaultyGateway} gateway */
async function untilQuiet({ sql }) {
  for (const end = performance.now() + QUIET_MS; performance.now() < end; await sleep(LOOK_MS))
    if (await isQuiet(sql)) return [];
  const left =
    await sql`select id, skill, extract(epoch from clock_timestamp() - lease_expires_at)::int as overdue from calls`;
  return left.map((row) => `still there: ${JSON.stringify(row)}`);
}

/**
 * @param {string} name
 * @param {import('./probes.mjs').Answered[]} answers
 * @param {number} ms
 */
function showFault(name, answers, ms) {
  const longest = Math.max(0, ...answers.map((answer) => answer.ms));
  const refused = answers.filter(({ status }) => status === 503).length;
  const pages = [...new Set(answers.filter(({ kind }) => kind === 'page').map(({ status }) => status))];
  const slowest = answers.find((answer) => answer.ms === longest)?.kind;
  console.log(
    `  ${name}: ${answers.length} answers, ${refused} refused, the longest ${(longest / 1000).toFixed(1)} s (${slowest}), pages ${pages.join(' and ')}; well after ${(ms / 1000).toFixed(1)} s`,
  );
}

/** @param {number} pid */
function alive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
