// The process in which runInWorker (cpu-pool.ts) runs its tasks, one at a time.
import { setPriority } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { isTooLarge } from './output-size.mjs';
import { createReports } from './worker-reports.mjs';

const PARENT_LOOK_MS = 1_000;
/** A native library fills some 100 MiB in this time. */
const MEMORY_LOOK_MS = 50;
/** A worker that holds so much after its task is not given another, which would have less left of its own limit. */
const GROWN_BYTES = 384 * 1024 * 1024;
/** Below the gateway, PostgreSQL, and workers that only import: see worker-processes.ts. */
const TASK_NICENESS = 10;
const MAX_MESSAGE_CHARS = 2_000;

// The gateway kills a task that takes too long; were the gateway itself killed, nobody would. A busy main thread cannot
// look, so a second thread does, and ends the process when its parent is gone. The parent gives its own pid: asked for
// here, it could be that of whoever adopted us already. The limit of the heap does not hold native libraries either.
const watchdog = new Worker(
  `
  const { parentPort } = require('node:worker_threads');
  const parent = ${Number(process.argv[2])};
  const maxBytes = ${Number(process.argv[3])} * 1024 * 1024;
  const end = () => process.kill(process.pid, 'SIGKILL');
  setInterval(() => process.ppid === parent || end(), ${PARENT_LOOK_MS});
  let looks;
  parentPort.on('message', (busy) => {
    clearInterval(looks);
    if (busy) looks = setInterval(() => process.memoryUsage.rss() > maxBytes && end(), ${MEMORY_LOOK_MS});
  });
`,
  { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } },
);
watchdog.unref();

process.on('disconnect', () => process.exit());

process.on('message', async (/** @type {import('./worker-processes').ToWorker} */ message) => {
  if ('task' in message) {
    const result = await resultOf(message.task);
    return answer({ ...result, grown: process.memoryUsage.rss() > GROWN_BYTES });
  }
  // What cannot be imported now fails again, and is told, when a task wants it.
  for (const file of message.preload) await import(pathToFileURL(file).href).catch(() => undefined);
  answer({ kind: 'ready' });
});

/** @param {import('./worker-processes').FromWorker} message */
function answer(message) {
  try {
    process.send?.(message);
  } catch (error) {
    // A function or a symbol cannot cross.
    process.send?.(failure(error));
  }
}

/**
 * @param {import('./worker-processes').Task} task
 * @returns {Promise<import('./worker-processes').Ending>}
 */
async function resultOf({ file, name, payload, reports: wanted }) {
  const reports = createReports(wanted ? answer : () => undefined);
  try {
    /** @type {Record<string, (payload: unknown, reports: import('./worker-processes').WorkerReports) => unknown>} */
    const module = await import(pathToFileURL(file).href);
    const run = module[name];
    if (!run) throw new Error(`${file} exports no ${name}`);
    lowerPriority();
    watchdog.postMessage(true);
    answer({ kind: 'begun' });
    const value = await run(payload, reports);
    return isTooLarge(value) ? { kind: 'tooLarge' } : { kind: 'value', value };
  } catch (error) {
    return failure(error);
  } finally {
    // What a task left behind may not speak into the next one.
    reports.end();
    watchdog.postMessage(false);
  }
}

function lowerPriority() {
  try {
    setPriority(TASK_NICENESS);
  } catch {
    // A system without priorities: tasks compete with the gateway then.
  }
}

/** @param {unknown} error @returns {import('./worker-processes').Ending} */
function failure(error) {
  const text = error instanceof Error ? error.message : String(error);
  return { kind: 'failure', message: text.slice(0, MAX_MESSAGE_CHARS) };
}
