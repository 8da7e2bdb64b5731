// Compares what the clients of the kill test were told with what the books say.
import { repeated } from './books.mjs';
import { microusd } from './client.mjs';

/**
 * @typedef {import('./books.mjs').Books} Books
 * @typedef {import('./operations.mjs').Operation} Operation
 */

/** Every accepted call has ended once: settled, or released for nothing. @param {Books} books */
export function endedOnce({ usage, charges, totals }) {
  const problems = repeated(usage, ({ id }) => id).map((id) => `two usage records of ${id}`);
  problems.push(...repeated(charges, ({ ref }) => ref).map((ref) => `${ref} is charged twice`));
  if (usage.length !== totals.accepted)
    problems.push(`${totals.accepted} calls were accepted, ${usage.length} have ended`);
  const charged = new Map(charges.map(({ ref, amount }) => [ref, amount]));
  for (const { id, status, cost } of usage) {
    if (status !== 'success' && cost > 0) problems.push(`${id} has failed and costs ${cost}`);
    if ((charged.get(id) ?? 0) !== cost) problems.push(`${id} costs ${cost}, charged ${charged.get(id)}`);
  }
  return problems;
}

/** Whatever a client was told, the books say too. @param {Operation[]} operations @param {Books} books */
export function toldIsBooked(operations, { usage, jobs: allJobs }) {
  const rows = new Map(usage.map((row) => [row.id, row]));
  const neverOpened = new Set(allJobs.filter(wasNeverOpened).map((job) => job.call_id));
  /** @type {string[]} */
  const problems = [];
  const compare = (/** @type {any} */ { id, status, usage: told }, /** @type {string} */ where) => {
    const row = rows.get(id);
    if (!row) {
      if (!neverOpened.has(id) || status === 'success') problems.push(`${where}: ${id} has no usage record`);
    } else if (status === 'success' && (row.status !== 'success' || row.cost !== microusd(told.cost)))
      problems.push(`${where}: ${id} told ${told.cost} USD, booked ${row.status} ${row.cost}`);
    else if (status === 'error' && row.status !== 'error')
      problems.push(`${where}: ${id} told error, booked ${row.status} ${row.cost}`);
  };
  for (const { kind, answers, jobs, started } of operations) {
    for (const { body } of answers)
      for (const result of body.results ?? [body]) if (result.id) compare(result, kind);
    for (const job of jobs) if (job.result) compare(job.result, `job of ${kind}`);
    for (const id of started) compare({ id }, `${kind} that broke off`);
  }
  return problems;
}

/**
 * Each paid call has an amount of its own: it is found at most once, and once where its client was told of success.
 * @param {Operation[]} operations
 * @param {Books} books
 */
export function chargedOnce(operations, { charges }) {
  const times = new Map();
  for (const { amount } of charges) times.set(amount, (times.get(amount) ?? 0) + 1);
  /** @type {string[]} */
  const problems = [];
  for (const { amounts, answers, jobs, once, kind } of operations) {
    const results = [
      ...answers.flatMap(({ body }) => body.results ?? [body]),
      ...jobs.map((job) => job.result),
    ];
    const told = new Set(results.map((result) => microusd(result?.usage?.cost ?? 0)));
    for (const amount of amounts) {
      const found = times.get(amount) ?? 0;
      if (found > 1 || (found === 0 && told.has(amount)))
        problems.push(`${kind} of ${amount}, key ${once}: charged ${found} times, told ${told.has(amount)}`);
    }
  }
  return problems;
}

/** Every successful answer is what its request asked for. @param {Operation[]} operations */
export function answeredRight(operations) {
  return operations.flatMap(({ kind, wrong }) => wrong.map((problem) => `${kind}: ${problem}`));
}

/** What an Idempotency-Key has answered once it answers always. @param {Operation[]} operations */
export function oneAnswerPerKey(operations) {
  /** @type {string[]} */
  const problems = [];
  for (const { kind, once, answers, json } of operations) {
    if (!once) continue;
    const distinct = new Set(answers.map((answer) => JSON.stringify(sorted(answer.body))));
    if (distinct.size > 1)
      problems.push(`${kind} ${once} ${JSON.stringify(json).slice(0, 90)}: ${[...distinct].join(' THEN ')}`);
    if (distinct.size === 0) problems.push(`${kind} ${once} was never answered`);
  }
  return problems;
}

/** Jobs: what may be run again is completed, the others at least say why not. @param {Books} books */
export function jobsHaveEnded({ jobs }) {
  const ends = ['completed', 'failed'];
  const open = jobs.filter(({ status }) => !ends.includes(status));
  const silent = jobs.filter(({ status, error }) => status === 'failed' && !error);
  return [
    ...open.map(({ id, status }) => `${id} is ${status}`),
    ...silent.map(({ id }) => `${id} says no reason`),
  ];
}

/**
 * @param {Books} books
 * @param {number} [mostAttempts] with so many processes killed under it a job has failed; chance does that to few of them
 */
export function queuedAreCompleted({ jobs }, mostAttempts = Number.POSITIVE_INFINITY) {
  const queued = jobs.filter(({ skill }) => skill === 'background');
  const died = queued.filter(({ status, attempts }) => status === 'failed' && attempts >= mostAttempts);
  const excused = died.length <= queued.length / 10 ? died : [];
  return queued
    .filter((job) => job.status !== 'completed' && !excused.includes(job))
    .map(({ id, status, error, attempts }) => `${id} is ${status} after ${attempts} attempts: ${error}`);
}

/** What a poll said last is how the job has ended. @param {Operation[]} operations @param {Books} books */
export function polledIsTrue(operations, { jobs, usage }) {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const calls = new Map(usage.map((row) => [row.id, row]));
  return operations
    .flatMap((operation) => operation.jobs)
    .flatMap(({ job_id, status, error }) => {
      const job = byId.get(job_id);
      const booked = calls.get(job?.call_id ?? '')?.status ?? (job && wasNeverOpened(job) && 'error');
      const isTrue = job?.status === status && booked === (status === 'completed' ? 'success' : 'error');
      return isTrue ? [] : [`${job_id} told ${status} ${error}, is ${job?.status}, booked ${booked}`];
    });
}

/** An element of a batch that waited for a slot when its process died: nothing was held for it. @param {Books['jobs'][number]} job */
function wasNeverOpened({ status, attempts }) {
  return status === 'failed' && attempts === 0;
}

/** JSON with sorted members. @param {any} value @returns {any} */
function sorted(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return Array.isArray(value) ? value.map(sorted) : value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
