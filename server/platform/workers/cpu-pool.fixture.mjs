// Well-behaved and misbehaving tasks, for cpu-pool.test.ts.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';

/** @param {{ a: number, b: number }} payload */
export function add({ a, b }) {
  return a + b;
}

/** @returns {never} */
export function loopForever() {
  for (;;);
}

/** Holds its slot as an endless loop does, without computing. @returns {Promise<never>} */
export function waitForever() {
  return new Promise(() => undefined);
}

/** @param {unknown} _ @param {import('./worker-processes').WorkerReports} reports */
export async function sleepLong(_, { sleep }) {
  await sleep(60_000);
}

/** Backtracks practically for ever. */
export function matchCatastrophically() {
  return /^(a+)+$/.test(`${'a'.repeat(60)}!`);
}

export function fillMemory() {
  const kept = [];
  for (;;) kept.push(new Array(100_000).fill('x'));
}

/** One allocation larger than any heap, which ends a whole process and not only a thread. */
export function allocateAtOnce() {
  const sparse = [];
  for (let at = 0; at < 1e9; at += 1) sparse[1e9 - at] = at;
  return sparse.length;
}

/** Identifies this process, because its pid is only valid in its own namespace. */
const identity = randomUUID();

/** @type {Buffer[]} */
const leaked = [];

/**
 * Leaks memory as a careless library does.
 * @param {{ mib: number }} payload
 * @returns {string} the id of its process
 */
export function leak({ mib }) {
  leaked.push(Buffer.alloc(mib * 1024 * 1024, 1));
  return identity;
}

/** Allocates like a native library, outside of the heap limit. @returns {never} */
export function fillNativeMemory() {
  const kept = [];
  for (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
}

export function environmentNames() {
  return Object.keys(process.env).sort();
}

/** @returns {never} */
export function fail() {
  throw new RangeError('on purpose');
}

/** @param {{ length: number }} payload */
export function makeList({ length }) {
  return Array.from({ length }, () => 0);
}

export function makeSymbol() {
  return Symbol('cannot cross');
}

/** When this process started, by the wall clock, and the highest priority of its threads. */
export function describeProcess() {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  return { startedAt: performance.timeOrigin, priority: Math.min(...threads.map((id) => getPriority(id))) };
}

/**
 * Reports, then waits without computing.
 * @param {{ lines: number, ms: number }} payload
 * @param {import('./worker-processes').WorkerReports} reports
 */
export async function talk({ lines, ms }, { log, progress }) {
  for (let line = 1; line <= lines; line += 1) {
    log(`line ${line}`);
    progress(line / lines);
  }
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  setTimeout(() => log('too late'), 0);
  return 'said';
}

/**
 * Reports as progress the number of its lines, in millions.
 * @param {null} _
 * @param {import('./worker-processes').WorkerReports} reports
 * @returns {Promise<never>}
 */
export async function talkForever(_, { log, progress }) {
  for (let line = 1; ; line += 1) {
    log(`line ${line} ${'x'.repeat(10_000)}`);
    if (line % 1_000 > 0) continue;
    progress(Math.min(1, line / 1e6));
    await new Promise((resolve) => setTimeout(resolve));
  }
}
