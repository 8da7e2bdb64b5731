// Tests that the responses of a cluster under load match the books.
import { expect, test } from 'vitest';
import { type AdministeredGateway, findDifferences } from '../fixtures/accounts';
import { type Books, readBooks } from '../fixtures/books';
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
import type { Sql } from '../fixtures/embedded-database';
import type { Operation } from '../fixtures/operations';

type TestedGateway = AdministeredGateway & { sql: Sql };

/** Reads the books; a long run exceeds the hourly counters, so calls are counted elsewhere. */
export async function readClusterBooks({ sql }: Pick<TestedGateway, 'sql'>): Promise<Books> {
  const books = await readBooks(sql);
  const [sums] = await sql<{ calls: number }[]>`
    select coalesce(sum(calls), 0)::int as calls from usage_rollups`;
  return { ...books, totals: { ...books.totals, accepted: sums?.calls ?? Number.NaN } };
}

export function testClusterBooks(
  getRun: () => { cluster: TestedGateway; operations: Operation[]; books: Books },
): void {
  test('no call runs and the queue is empty once all leases have expired', () => {
    const { totals, jobs } = getRun().books;
    expect(totals.open).toBe(0);
    expect(jobs.filter(({ status }) => ['pending', 'running'].includes(status))).toEqual([]);
  });

  test('reconcile finds no difference', async () => {
    expect(await findDifferences(getRun().cluster, '--books-only')).toEqual([]);
  });

  test('every call is settled once or released', () => {
    expect(findUnsettledCalls(getRun().books)).toEqual([]);
  });

  test('every successful response is correct for its request', () => {
    expect(findWrongAnswers(getRun().operations)).toEqual([]);
  });

  test('every response matches the books', () => {
    const { operations, books } = getRun();
    expect(findUnbookedAnswers(operations, books)).toEqual([]);
  });

  test('no call is charged twice, and every successful paid call is charged', () => {
    const { operations, books } = getRun();
    expect(findWrongCharges(operations, books)).toEqual([]);
  });

  test('an Idempotency-Key has one response', () => {
    expect(findChangedReplays(getRun().operations)).toEqual([]);
  });

  test('no open call, hold, concurrency slot or Idempotency-Key without a response remains', () => {
    const { open, held, running, unanswered } = getRun().books.totals;
    expect({ open, held, running, unanswered }).toEqual({ open: 0, held: 0, running: 0, unanswered: 0 });
  });

  test('a queued job completes, if necessary in another process', () => {
    expect(findLostQueuedJobs(getRun().books)).toEqual([]);
  });

  test('any other job completes or fails with a reason', () => {
    expect(findUnfinishedJobs(getRun().books)).toEqual([]);
  });

  test('the last poll of a job matches its final state', () => {
    const { operations, books } = getRun();
    expect(findWrongPolls(operations, books)).toEqual([]);
  });
}
