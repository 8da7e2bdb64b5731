// The verdict over a cluster that was under load: what clients were told against what the books say.
import { setTimeout as sleep } from 'node:timers/promises';
import { isQuiet, readBooks } from '../crash/books.mjs';
import * as verdict from '../crash/verdict.mjs';

/**
 * @typedef {import('./cluster.mjs').Cluster} Cluster
 * @typedef {import('../crash/checks.mjs').Checks} Checks
 * @typedef {import('../crash/operations.mjs').Operation} Operation
 */

const QUIET_MS = 60_000;
const LOOK_MS = 250;

/** @param {Cluster} cluster */
export async function untilQuiet({ sql }) {
  for (const end = performance.now() + QUIET_MS; performance.now() < end; await sleep(LOOK_MS))
    if (await isQuiet(sql)) return [];
  const left = await sql`
    select c.id, c.skill, j.status from calls c full join jobs j on j.call_id = c.id where j.finished_at is null`;
  return left.map((row) => `still there: ${JSON.stringify(row)}`);
}

/**
 * @param {Checks} checks
 * @param {Cluster} cluster
 * @param {Operation[]} operations
 */
export async function judgeLoad(checks, cluster, operations) {
  checks.holds('when all leases have run out nothing runs and nothing waits', await untilQuiet(cluster));
  const { sql, admin } = cluster;
  const books = await readBooks(sql);
  // A difference makes the command end with 1: its words are the finding.
  const found = await admin('reconcile', '--books-only').catch((error) => ({ differences: [String(error)] }));
  checks.equals('reconcile finds no difference', found.differences, []);
  const [sums] = await sql`select coalesce(sum(calls), 0)::int as calls from usage_rollups`;
  const accepted = { ...books.totals, accepted: sums?.calls };
  checks.holds(
    'every call has ended once: settled, or released',
    verdict.endedOnce({ ...books, totals: accepted }),
  );
  checks.holds('every answer is what was asked for', verdict.answeredRight(operations));
  checks.holds('what clients were told is what the books say', verdict.toldIsBooked(operations, books));
  checks.holds(
    'no call is charged twice, and none that succeeded is free',
    verdict.chargedOnce(operations, books),
  );
  checks.holds('an Idempotency-Key has one answer', verdict.oneAnswerPerKey(operations));
  const { open, held, running, unanswered } = books.totals;
  checks.equals(
    'no call, held money, slot or unanswered key is left',
    [open, held, running, unanswered],
    [0, 0, 0, 0],
  );
  checks.holds('a queued job is completed, by another process if need be', verdict.queuedAreCompleted(books));
  checks.holds('any other job is completed, or failed with a reason', verdict.jobsHaveEnded(books));
  checks.holds('what a poll said last is how the job has ended', verdict.polledIsTrue(operations, books));
}

/** @param {Operation[]} operations */
export function countOf(operations) {
  const sum = (/** @type {(operation: Operation) => number} */ of) =>
    operations.reduce((all, operation) => all + of(operation), 0);
  return {
    sent: operations.length,
    answered: operations.filter(({ answers }) => answers.length > 0).length,
    cut: sum(({ cuts }) => cuts),
    refused: sum(({ refusals }) => refusals),
    wrong: sum(({ wrong }) => wrong.length),
  };
}
