// Tests of a cluster that was under load: answers of its clients against the books.
import { expect, test } from 'vitest';
import { findDifferences } from '../fixtures/accounts';
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
import type { Operation } from '../fixtures/operations';
import type { Cluster } from './cluster';

/** The books; a long run has more calls than the hour of a key counts. */
export async function readClusterBooks({ sql }: Cluster): Promise<Books> {
  const books = await readBooks(sql);
  const [sums] = await sql<{ calls: number }[]>`
    select coalesce(sum(calls), 0)::int as calls from usage_rollups`;
  return { ...books, totals: { ...books.totals, accepted: sums?.calls ?? Number.NaN } };
}

export function testClusterBooks(
  getRun: () => { cluster: Cluster; operations: Operation[]; books: Books },
): void {
  test('when all leases have expired no call runs and the queue is empty', () => {
    const { totals, jobs } = getRun().books;
    expect(totals.open).toBe(0);
    expect(jobs.filter(({ status }) => ['pending', 'running'].includes(status))).toEqual([]);
  });

  test('reconcile finds no difference', async () => {
    expect(await findDifferences(getRun().cluster, '--books-only')).toEqual([]);
  });

  test('every call has ended once: settled, or released', () => {
    expect(findUnsettledCalls(getRun().books)).toEqual([]);
  });

  test('every successful answer is what its request asked for', () => {
    expect(findWrongAnswers(getRun().operations)).toEqual([]);
  });

  test('every answer agrees with the books', () => {
    const { operations, books } = getRun();
    expect(findUnbookedAnswers(operations, books)).toEqual([]);
  });

  test('no call is charged twice, and none that succeeded is free', () => {
    const { operations, books } = getRun();
    expect(findWrongCharges(operations, books)).toEqual([]);
  });

  test('an Idempotency-Key has one answer', () => {
    expect(findChangedReplays(getRun().operations)).toEqual([]);
  });

  test('no call, held money, concurrency slot or unanswered Idempotency-Key is left', () => {
    const { open, held, running, unanswered } = getRun().books.totals;
    expect({ open, held, running, unanswered }).toEqual({ open: 0, held: 0, running: 0, unanswered: 0 });
  });

  test('a queued job is completed, by another process if need be', () => {
    expect(findLostQueuedJobs(getRun().books)).toEqual([]);
  });

  test('any other job is completed, or failed with a reason', () => {
    expect(findUnfinishedJobs(getRun().books)).toEqual([]);
  });

  test('the last poll of a job agrees with how it ended', () => {
    const { operations, books } = getRun();
    expect(findWrongPolls(operations, books)).toEqual([]);
  });
}
