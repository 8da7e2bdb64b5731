// Tests what clients see during database faults, and the books afterwards.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNLIMITED_RATES } from '../../support/unlimited-rates';
import { createAccount, createKey, findDifferences } from '../fixtures/accounts';
import { type Books, readBooks, sumCharges, waitUntilIdle } from '../fixtures/books';
import {
  findChangedReplays,
  findLostQueuedJobs,
  findUnbookedAnswers,
  findUnsettledCalls,
  findWrongAnswers,
  findWrongCharges,
  findWrongPolls,
} from '../fixtures/books-findings';
import { FaultyGateway } from '../fixtures/faulty-gateway';
import { Load } from '../fixtures/load';
import type { Operation } from '../fixtures/operations';
import { saveResult } from '../fixtures/test-results';
import { type ProbeAnswer, Probes } from './probes';
import { findBroken } from './recovery';
import {
  findAdmittedWrongKeys,
  findLateAnswers,
  findLeakedInternals,
  findUndocumentedAnswers,
} from './response-findings';

/** The effect of a fault. */
export interface Effect {
  /** Number of requests that got 503. */
  refused: number;
  longestMs: number;
  /** Number of database connections that the gateway opened. */
  connections: number;
}

export interface Fault {
  /** Starts the fault, waits and ends it. */
  inject(gateway: FaultyGateway): Promise<void>;
  wasFelt(effect: Effect): boolean;
}

interface Outcome {
  effect: Effect;
  /** What did not recover. */
  broken: string[];
  recoveryMs: number;
}

interface Run {
  outcomes: Map<string, Outcome>;
  /** Responses before the first fault. */
  before: ProbeAnswer[];
  answers: ProbeAnswer[];
  operations: Operation[];
  books: Books;
}

const SETTINGS = {
  LEASE_SECONDS: '30',
  WAIT_SECONDS: '1',
  ...UNLIMITED_RATES,
  CONCURRENT_CALLS: '30',
};
const ACCOUNTS = ['ada', 'bea'];
const KEYS_PER_ACCOUNT = 4;
const CREDIT_USD = 50;
const SCENARIO_MS = 600_000;

/** @param faults by description, which completes "a database that …" */
export function testFaults(name: string, faults: Record<string, Fault>): void {
  let gateway: FaultyGateway;
  let run: Run;

  beforeAll(async () => {
    gateway = await FaultyGateway.start(SETTINGS);
    run = await injectFaults(gateway, faults);
  }, SCENARIO_MS);

  afterAll(async () => {
    saveResult(`faults/${name}.log`, gateway.log());
    saveResult(`faults/${name}.json`, JSON.stringify([...run.outcomes], null, 2));
    await gateway.stop();
  });

  for (const [what, fault] of Object.entries(faults)) {
    test(`a database that ${what}: clients notice`, () => {
      expect(run.outcomes.get(what)?.effect).toSatisfy(fault.wasFelt);
    });

    test(`a database that ${what}: everything recovers afterwards @E9`, () => {
      expect(run.outcomes.get(what)?.broken).toEqual([]);
    });
  }

  test('the gateway process survives all faults', () => {
    expect(process.kill(gateway.pid, 0)).toBe(true);
  });

  testAnswers(() => run);
  testBooks(
    () => gateway,
    () => run,
  );
}

async function injectFaults(gateway: FaultyGateway, faults: Record<string, Fault>): Promise<Run> {
  const keys: string[] = [];
  for (const account of ACCOUNTS)
    keys.push(
      ...(await createAccount(gateway, account, { keys: KEYS_PER_ACCOUNT, creditUsd: CREDIT_USD })).keys,
    );
  const recovering = await createKey(gateway, 'recovering', CREDIT_USD);
  const probes = new Probes(gateway.baseUrl, await createKey(gateway, 'prober', CREDIT_USD));
  const load = new Load(gateway, keys);
  const outcomes = new Map<string, Outcome>();
  let before: ProbeAnswer[];
  try {
    load.begin();
    await probes.waitForEachKind();
    before = [...probes.answers];
    for (const [what, fault] of Object.entries(faults))
      outcomes.set(what, await runFault(gateway, fault, probes, recovering));
    await Promise.all([load.end(), probes.end()]);
    await waitUntilIdle(gateway.sql);
  } finally {
    load.abandon();
    await probes.end();
  }
  await load.replay();
  return {
    outcomes,
    before,
    answers: probes.answers,
    operations: load.operations,
    books: await readBooks(gateway.sql),
  };
}

async function runFault(gateway: FaultyGateway, fault: Fault, probes: Probes, key: string): Promise<Outcome> {
  const started = performance.now();
  const { accepted } = gateway.proxy;
  await fault.inject(gateway);
  const ended = performance.now();
  const broken = await findBroken(gateway, key);
  const recoveryMs = performance.now() - ended;
  const answers = probes.answers.filter(({ at, ms }) => at + ms >= started);
  return {
    broken,
    recoveryMs,
    effect: {
      refused: answers.filter(({ status }) => status === 503).length,
      longestMs: Math.max(...answers.map(({ ms }) => ms)),
      connections: gateway.proxy.accepted - accepted,
    },
  };
}

function testAnswers(getRun: () => Run): void {
  test('every request succeeds before the faults', () => {
    expect(findUndocumentedAnswers(getRun().before)).toEqual([]);
    expect(getRun().before.filter(({ status }) => status === 503)).toEqual([]);
  });

  test('each request succeeds or gets 503 with an Error and Retry-After @E9', () => {
    expect(findUndocumentedAnswers(getRun().answers)).toEqual([]);
  });

  test('each request gets a response within 35 s @E9', () => {
    expect(findLateAnswers(getRun().answers)).toEqual([]);
  });

  test('an invalid key is never accepted @E9', () => {
    expect(findAdmittedWrongKeys(getRun().answers)).toEqual([]);
  });

  test('no response reveals internals', () => {
    expect(findLeakedInternals(getRun().answers)).toEqual([]);
  });
}

function testBooks(getGateway: () => FaultyGateway, getRun: () => Run): void {
  test('no call runs and the queue is empty at the end', () => {
    const { totals, jobs } = getRun().books;
    expect(totals.open).toBe(0);
    expect(jobs.filter(({ status }) => ['pending', 'running'].includes(status))).toEqual([]);
  });

  test('reconcile finds no difference @E9', async () => {
    expect(await findDifferences(getGateway())).toEqual([]);
  });

  test('every accepted call is settled once or released', () => {
    expect(findUnsettledCalls(getRun().books)).toEqual([]);
  });

  test('every response matches the books', () => {
    const { operations, books } = getRun();
    expect(findUnbookedAnswers(operations, books)).toEqual([]);
  });

  test('every successful response is correct for its request', () => {
    expect(findWrongAnswers(getRun().operations)).toEqual([]);
  });

  test('no call is charged twice, and every successful paid call is charged @A3', () => {
    const { operations, books } = getRun();
    expect(findWrongCharges(operations, books)).toEqual([]);
  });

  test('the balances decrease by exactly the charges', () => {
    const { books } = getRun();
    // The accounts of the load, plus one each for probes and recovery.
    const credit = (ACCOUNTS.length + 2) * CREDIT_USD * 1e6;
    expect(credit - books.totals.balance).toBe(sumCharges(books));
  });

  test('no open call, hold or concurrency slot remains @E4', () => {
    const { open, held, running } = getRun().books.totals;
    expect({ open, held, running }).toEqual({ open: 0, held: 0, running: 0 });
  });

  test('an Idempotency-Key has one response', () => {
    expect(findChangedReplays(getRun().operations)).toEqual([]);
  });

  test('every Idempotency-Key has a stored response', () => {
    expect(getRun().books.totals.unanswered).toBe(0);
  });

  test('a queued idempotent job completes', () => {
    expect(findLostQueuedJobs(getRun().books)).toEqual([]);
  });

  test('the last poll of a job matches its final state', () => {
    const { operations, books } = getRun();
    expect(findWrongPolls(operations, books)).toEqual([]);
  });
}
