// Tests of what clients see while the database fails in several ways, and of the books afterwards.
import { afterAll, beforeAll, expect, test } from 'vitest';
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
import {
  findAdmittedWrongKeys,
  findLateAnswers,
  findLeakedInternals,
  findUndocumentedAnswers,
} from './answer-findings';
import { type ProbeAnswer, Probes } from './probes';
import { findBroken } from './recovery';

/** What a fault caused. */
export interface Effect {
  /** Requests that were answered 503. */
  refused: number;
  longestMs: number;
  /** Connections to the database that the gateway opened. */
  connections: number;
}

export interface Fault {
  /** Begins the fault, waits, and ends it. */
  inject(gateway: FaultyGateway): Promise<void>;
  wasFelt(effect: Effect): boolean;
}

interface Outcome {
  effect: Effect;
  /** What did not work again. */
  broken: string[];
  recoveryMs: number;
}

interface Run {
  outcomes: Map<string, Outcome>;
  /** Before the first fault. */
  before: ProbeAnswer[];
  answers: ProbeAnswer[];
  operations: Operation[];
  books: Books;
}

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
const SCENARIO_MS = 600_000;

/** @param faults by what the database does, as part of a sentence */
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
    test(`a database that ${what}: its clients notice`, () => {
      expect(run.outcomes.get(what)?.effect).toSatisfy(fault.wasFelt);
    });

    test(`a database that ${what}: all works again afterwards`, () => {
      expect(run.outcomes.get(what)?.broken).toEqual([]);
    });
  }

  test('the gateway is the same process as before', () => {
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
  const begun = performance.now();
  const { accepted } = gateway.proxy;
  await fault.inject(gateway);
  const ended = performance.now();
  const broken = await findBroken(gateway, key);
  const recoveryMs = performance.now() - ended;
  const answers = probes.answers.filter(({ at, ms }) => at + ms >= begun);
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
  test('every request is answered well before the faults', () => {
    expect(findUndocumentedAnswers(getRun().before)).toEqual([]);
    expect(getRun().before.filter(({ status }) => status === 503)).toEqual([]);
  });

  test('each request is answered, or refused with 503, the Error shape and Retry-After', () => {
    expect(findUndocumentedAnswers(getRun().answers)).toEqual([]);
  });

  test('each request is answered within 35 s', () => {
    expect(findLateAnswers(getRun().answers)).toEqual([]);
  });

  test('a wrong key opens nothing', () => {
    expect(findAdmittedWrongKeys(getRun().answers)).toEqual([]);
  });

  test('no answer shows internals', () => {
    expect(findLeakedInternals(getRun().answers)).toEqual([]);
  });
}

function testBooks(getGateway: () => FaultyGateway, getRun: () => Run): void {
  test('when all is over no call runs and the queue is empty', () => {
    const { totals, jobs } = getRun().books;
    expect(totals.open).toBe(0);
    expect(jobs.filter(({ status }) => ['pending', 'running'].includes(status))).toEqual([]);
  });

  test('reconcile finds no difference', async () => {
    expect(await findDifferences(getGateway())).toEqual([]);
  });

  test('every accepted call is settled once, or released', () => {
    expect(findUnsettledCalls(getRun().books)).toEqual([]);
  });

  test('every answer agrees with the books', () => {
    const { operations, books } = getRun();
    expect(findUnbookedAnswers(operations, books)).toEqual([]);
  });

  test('every successful answer is what its request asked for', () => {
    expect(findWrongAnswers(getRun().operations)).toEqual([]);
  });

  test('no call is charged twice, and none that succeeded is free', () => {
    const { operations, books } = getRun();
    expect(findWrongCharges(operations, books)).toEqual([]);
  });

  test('the balances have fallen by exactly the charges', () => {
    const { books } = getRun();
    // The accounts of the load, of the probes and of the recovery.
    const credit = (ACCOUNTS.length + 2) * CREDIT_USD * 1e6;
    expect(credit - books.totals.balance).toBe(sumCharges(books));
  });

  test('no call, held money or concurrency slot is left', () => {
    const { open, held, running } = getRun().books.totals;
    expect({ open, held, running }).toEqual({ open: 0, held: 0, running: 0 });
  });

  test('an Idempotency-Key has one answer', () => {
    expect(findChangedReplays(getRun().operations)).toEqual([]);
  });

  test('no Idempotency-Key is left without its answer', () => {
    expect(getRun().books.totals.unanswered).toBe(0);
  });

  test('a queued idempotent job is completed', () => {
    expect(findLostQueuedJobs(getRun().books)).toEqual([]);
  });

  test('the last poll of a job agrees with how it ended', () => {
    const { operations, books } = getRun();
    expect(findWrongPolls(operations, books)).toEqual([]);
  });
}
