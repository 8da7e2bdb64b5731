// Kills a gateway under load of every kind six times, and its database twice: nothing is lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNLIMITED_RATES } from '../../support/unlimited-rates';
import { createAccount, createKey, findDifferences } from '../fixtures/accounts';
import { type Books, readBooks, sumCharges, waitUntilIdle } from '../fixtures/books';
import {
  findChangedReplays,
  findLostQueuedJobs,
  findUnbookedAnswers,
  findUnfinishedJobs,
  findUnsettledCalls,
  findWrongAnswers,
  findWrongCharges,
  findWrongPolls,
} from '../fixtures/books-findings';
import { findSecrets, sendSecrets } from '../fixtures/gateway-secrets';
import { LeaseWatch } from '../fixtures/lease-watch';
import { countOperations, Load } from '../fixtures/load';
import type { Operation } from '../fixtures/operations';
import { KILLS, killRepeatedly } from '../fixtures/random-killer';
import { RestartableGateway } from '../fixtures/restartable-gateway';
import { saveResult } from '../fixtures/test-results';

const SETTINGS = {
  LEASE_SECONDS: '4',
  WAIT_SECONDS: '1',
  ...UNLIMITED_RATES,
  CONCURRENT_CALLS: '12',
};
const ACCOUNTS = ['ada', 'bea', 'cid'];
const KEYS_PER_ACCOUNT = 5;
const CREDIT_USD = 50;
/** A job fails after losing this many processes (server/calls/running-calls.ts). */
const MAX_ATTEMPTS = 3;
/** With the default lease of 90 s, no call is held two minutes after its process died. */
const HELD_SECONDS = 120;
const DEFAULT_LEASE_SECONDS = 90;
/** With fewer interrupted requests the run proves little. */
const MIN_CUTS = 20;
const SCENARIO_MS = 600_000;

let gateway: RestartableGateway;
let watch: LeaseWatch;
let operations: Operation[];
let books: Books;
let secrets: string[];

beforeAll(async () => {
  gateway = await RestartableGateway.start(SETTINGS);
  const accounts = await Promise.all(
    ACCOUNTS.map((name) => createAccount(gateway, name, { keys: KEYS_PER_ACCOUNT, creditUsd: CREDIT_USD })),
  );
  const load = new Load(
    gateway,
    accounts.flatMap(({ keys }) => keys),
  );
  watch = new LeaseWatch(gateway);
  try {
    load.begin();
    await killRepeatedly(gateway);
    await load.end();
    await waitUntilIdle(gateway.sql);
  } finally {
    load.abandon();
    await watch.end();
  }
  await load.replay();
  operations = load.operations;
  books = await readBooks(gateway.sql);
  saveResult('crash/killed.txt', describeRun());
  secrets = await sendSecrets(gateway.baseUrl, await createKey(gateway, 'secrets', 1));
}, SCENARIO_MS);

afterAll(async () => {
  saveResult('crash/killed.log', gateway.log());
  await gateway.stop();
});

test('enough requests are interrupted to make the test meaningful', () => {
  expect(gateway.kills).toBe(KILLS);
  expect(countOperations(operations).cut).toBeGreaterThanOrEqual(MIN_CUTS);
  // Calls were released and jobs restarted after crashes.
  expect(books.usage.some(({ status }) => status === 'error')).toBe(true);
  expect(books.jobs.some(({ attempts }) => attempts > 1)).toBe(true);
});

test('a restarted gateway adopts the running PostgreSQL', () => {
  expect(gateway.adoptions).toBeGreaterThanOrEqual(KILLS - 1);
});

test('no call runs and the queue is empty once all leases have expired', () => {
  expect(books.totals.open).toBe(0);
  expect(books.jobs.filter(({ status }) => ['pending', 'running'].includes(status))).toEqual([]);
});

test('reconcile finds no difference', async () => {
  expect(await findDifferences(gateway)).toEqual([]);
});

test('every accepted call is settled once or released @A3', () => {
  expect(findUnsettledCalls(books)).toEqual([]);
});

test('every response matches the books', () => {
  expect(findUnbookedAnswers(operations, books)).toEqual([]);
});

test('every successful response is correct for its request', () => {
  expect(findWrongAnswers(operations)).toEqual([]);
});

test('no call is charged twice, and every successful paid call is charged', () => {
  expect(findWrongCharges(operations, books)).toEqual([]);
});

test('the balances decrease by exactly the charges', () => {
  const credit = ACCOUNTS.length * CREDIT_USD * 1e6;
  expect(credit - books.totals.balance).toBe(sumCharges(books));
});

test('no open call, hold or concurrency slot remains @A4 @E4', () => {
  const { open, held, running } = books.totals;
  expect({ open, held, running }).toEqual({ open: 0, held: 0, running: 0 });
});

test('no call remains open two minutes after its process died @A4', () => {
  expect(watch.samples).toBeGreaterThan(0);
  // Nothing can release a call while no process runs, and a job is lost up to three times.
  const downSeconds = gateway.longestDownMs / 1000;
  expect(watch.oldestSeconds).toBeLessThan(HELD_SECONDS + MAX_ATTEMPTS * downSeconds);
  expect(watch.overdueSeconds).toBeLessThan(HELD_SECONDS - DEFAULT_LEASE_SECONDS + downSeconds);
});

test('an Idempotency-Key has one response, also after a crash', () => {
  expect(findChangedReplays(operations)).toEqual([]);
});

test('every Idempotency-Key has a stored response', () => {
  expect(books.totals.unanswered).toBe(0);
});

test('a queued idempotent job completes, if necessary in another process, unless it lost three @E8', () => {
  expect(findLostQueuedJobs(books, MAX_ATTEMPTS)).toEqual([]);
});

test('any other job completes or fails with a reason', () => {
  expect(findUnfinishedJobs(books)).toEqual([]);
});

test('the last poll of a job matches its final state', () => {
  expect(findWrongPolls(operations, books)).toEqual([]);
});

test('no secret is in the log, the database or a file', async () => {
  expect(await findSecrets({ env: gateway.env, log: () => gateway.log() }, secrets)).toEqual([]);
});

/** Summarizes the run, to help investigate a failure. */
function describeRun(): string {
  const { usage, jobs, totals } = books;
  const kinds = [...new Set(operations.map(({ kind }) => kind))];
  const settled = usage.filter(({ status }) => status === 'success').length;
  const restarted = jobs.filter(({ attempts }) => attempts > 1).length;
  return [
    `${gateway.kills} kills, ${gateway.databaseKills} of PostgreSQL, ${gateway.adoptions} adoptions`,
    ...kinds.map((kind) => {
      const counts = countOperations(operations.filter((operation) => operation.kind === kind));
      return `${kind}: ${JSON.stringify(counts)}`;
    }),
    `${totals.accepted} calls accepted, ${settled} settled, ${usage.length - settled} released`,
    `${jobs.length} jobs, ${restarted} started again`,
    `${gateway.longestDownMs} ms down, ${watch.oldestSeconds} s open, ${watch.overdueSeconds} s past the lease`,
  ].join('\n');
}
