// The process in which runInWorker (cpu-pool.ts) runs its tasks, one at a time.
import { readdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createFrameReader, frameHeader } from './worker-frames.mjs';
import { createReports } from './worker-reports.mjs';
import { resultText } from './worker-result.mjs';

/** The pipe to the gateway, opened by worker-processes.ts. */
const CHANNEL_FD = 3;
const MAX_TASK_BYTES = 2 ** 31;
const PARENT_POLL_MS = 1_000;
/** A native library can allocate about 100 MiB in this time. */
const MEMORY_POLL_MS = 50;
/**
 * A worker that still holds this much after its task is not reused: its limit would be too close.
 */
const GROWN_BYTES = 384 * 1024 * 1024;
/** Below the gateway, PostgreSQL, and workers that only import modules: see run-nice.ts. */
const TASK_NICENESS = Number(process.argv[4]);
const MAX_MESSAGE_CHARS = 2_000;
/** The resources of the channel; our tools leave no others behind. */
const OWN_RESOURCES = new Set(['PipeWrap', 'SimpleWriteWrap', 'WriteWrap']);
/** Time for resources that are about to close, such as a file. */
const LEFTOVER_MS = 10;

// A busy main thread notices neither a killed gateway nor its own native memory; this thread does.
// The parent's pid is 0 if the system ends this process with its parent. SIGUSR2 reports too much
// memory (worker-run.ts).
const watchdog = new Worker(
  `
  const { parentPort } = require('node:worker_threads');
  const parent = ${Number(process.argv[2])};
  const maxBytes = ${Number(process.argv[3])} * 1024 * 1024;
  const end = () => process.kill(process.pid, 'SIGKILL');
  if (parent > 0) setInterval(() => process.ppid === parent || end(), ${PARENT_POLL_MS});
  let timer;
  const checkMemory = () => {
    if (process.memoryUsage.rss() <= maxBytes) return;
    process.kill(process.pid, 'SIGUSR2');
    setTimeout(end, 1_000);
  };
  parentPort.on('message', (busy) => {
    clearInterval(timer);
    if (busy) timer = setInterval(checkMemory, ${MEMORY_POLL_MS});
  });
`,
  { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } },
);
watchdog.unref();

/** Receives an error of the running task that nothing awaits. */
let onStray = /** @type {((error: unknown) => void) | undefined} */ (undefined);
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    // Between two tasks it is a leftover of the last one: the process must not get another task.
    if (onStray) onStray(error);
    else process.exit(1);
  });

const channel = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
channel.on('error', () => process.exit());
channel.on('close', () => process.exit());

/** @typedef {Extract<import('./worker-channel').ToWorker, { task: unknown }>['task']} Task */

/** @type {Task | undefined} */
let waitsForBytes;
/** @type {string | undefined} */
let taskId;
const read = createFrameReader(MAX_TASK_BYTES, (frame) => {
  if (waitsForBytes) {
    const task = waitsForBytes;
    waitsForBytes = undefined;
    void runTask({ ...task, payload: Object.assign(Object(task.payload), { bytes: frame }) });
    return;
  }
  /** @type {import('./worker-channel').ToWorker} */
  const message = JSON.parse(frame.toString());
  if ('preload' in message) void preload(message.preload);
  else if (message.task.hasBytes) waitsForBytes = message.task;
  else void runTask(message.task);
});
channel.on('data', read);

/** @param {string[]} files */
async function preload(files) {
  // A failing import fails again in the task that needs it.
  for (const file of files) await import(pathToFileURL(file).href).catch(() => undefined);
  answer({ kind: 'ready' });
}

/** @param {import('./worker-channel').FromWorker} message */
function answer(message) {
  send(JSON.stringify({ id: taskId, ...message }));
}

/** @param {string} text */
function send(text) {
  const bytes = Buffer.from(text);
  channel.cork();
  channel.write(frameHeader(bytes.length));
  channel.write(bytes);
  channel.uncork();
}

/** @param {Task} task */
async function runTask({ id, file, name, payload, reports: wanted }) {
  taskId = id;
  /** @type {unknown} */
  let stray;
  let hasStray = false;
  const strayed = new Promise((resolve) => {
    onStray = (error) => {
      stray ??= error;
      hasStray = true;
      resolve(undefined);
    };
  });
  const reports = createReports(wanted, answer);
  const ended = resultOf({ file, name, payload, reports });
  // If an error has ended something that the task awaits, the task would wait until its time limit.
  await Promise.race([ended, strayed]);
  reports.end();
  // Unhandled rejections of the same turn arrive before this.
  await turn();
  if (hasLeftovers()) await wait(LEFTOVER_MS);
  watchdog.postMessage(false);
  const reusable = !hasStray && !hasLeftovers() && process.memoryUsage.rss() <= GROWN_BYTES;
  const ending = hasStray ? failure('stray', stray) : await ended;
  onStray = undefined;
  send(`{"id":"${id}","kind":"ended","reusable":${reusable},"ending":${ending}}`);
}

/**
 * @param {Omit<import('./worker-channel').Task, 'reports'> & { reports:
 *   import('./worker-processes').WorkerReports }} task
 * @returns {Promise<string>} the ending as JSON
 */
async function resultOf({ file, name, payload, reports }) {
  try {
    /**
     * @type {Record<string, (payload: unknown, reports: import('./worker-processes').WorkerReports)
     *   => unknown>}
     */
    const module = await import(pathToFileURL(file).href);
    const run = module[name];
    if (!run) throw new Error(`${file} exports no ${name}`);
    lowerPriority();
    watchdog.postMessage(true);
    answer({ kind: 'started' });
    return resultText(await run(payload, reports));
  } catch (error) {
    return failure('failure', error);
  }
}

/** Whether timers, files or sockets of the ended task remain: they could disturb the next one. */
function hasLeftovers() {
  return process.getActiveResourcesInfo().some((resource) => !OWN_RESOURCES.has(resource));
}

/** Of every thread: garbage collection and compilation take as much time as the task itself. */
function lowerPriority() {
  try {
    setPriority(TASK_NICENESS);
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), TASK_NICENESS);
  } catch {
    // A system without priorities or /proc: tasks then compete with the gateway.
  }
}

/** @param {'failure' | 'stray'} kind @param {unknown} error */
function failure(kind, error) {
  return JSON.stringify({ kind, message: messageOf(error).slice(0, MAX_MESSAGE_CHARS) });
}

/** @param {unknown} error */
function messageOf(error) {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return 'An error that cannot be read';
  }
}
