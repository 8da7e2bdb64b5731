// The supervisor of `npm start`: a parent process that only waits, to restart the gateway quickly.
// It loads only Node's own modules and three small files, to stay small.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEARTBEAT_MS, Liveness } from '../server/kit/liveness.mjs';
import { hasLostTerminal } from '../server/kit/lost-terminal.mjs';
import { RestartBackoff } from '../server/kit/restart-backoff.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const SIGNAL_EXIT = 128;
/** The longest SHUTDOWN_DELAY_SECONDS, the end of running calls and of PostgreSQL, and a minute. */
const STOP_MS = 420_000;

/**
 * @typedef {{ heartbeatMs?: number, missedAtStart?: number, stopMs?: number }} Limits for tests
 */

/**
 * Runs a Node program until it is stopped or exits with 0, and restarts it after a crash. The
 * program sends `{ ready: { port } }` once it serves; if the first start fails before, it is not
 * retried. With `reloads: true` in that message, SIGHUP is passed on and does not stop it. It sends
 * `{ heartbeat: true }` from its start on, and is killed once it stops doing so, or if it does not
 * end after a signal.
 * @param {readonly string[]} args
 * @param {{ cwd: string, firstWaitMs?: number, limits?: Limits,
 *   say?: (line: string) => void }} options
 * @returns {Promise<number>} the exit code
 */
export async function supervise(args, { cwd, firstWaitMs, limits = {}, say = console.error }) {
  const stop = new AbortController();
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  /** @type {NodeJS.Signals} */
  let stopSignal = 'SIGTERM';
  let reloads = false;
  /** @type {NodeJS.Timeout | undefined} */
  let late;
  const killLate = () => {
    say('The gateway does not stop: killing it.');
    child?.kill('SIGKILL');
  };
  const unlisten = onSignals((signal) => {
    child?.kill(signal);
    if (signal === 'SIGHUP' && reloads && !hasLostTerminal()) return;
    stopSignal = signal;
    stop.abort();
    late ??= setTimeout(killLate, limits.stopMs ?? STOP_MS);
  });
  /** @type {number | undefined} */
  let port;
  const backoff = new RestartBackoff(firstWaitMs);
  try {
    for (;;) {
      const started = performance.now();
      child = start(args, cwd, port);
      watchLiveness(child, say, limits);
      const { code, signal, ready } = await runToEnd(child, (message) => {
        reloads ||= message.reloads === true;
      });
      const exitCode = code ?? SIGNAL_EXIT + constants.signals[signal ?? 'SIGKILL'];
      port ??= ready;
      if (code === 0 || stop.signal.aborted || port === undefined) return exitCode;
      const uptimeMs = performance.now() - started;
      const waitMs = backoff.recordCrash({ uptimeMs, served: ready !== undefined });
      if (backoff.isHopeless) {
        const { failedStarts } = backoff;
        say(`The gateway crashed and failed to start ${failedStarts} times in a row: not restarting it.`);
        return exitCode;
      }
      const how = signal ?? `exit code ${code}`;
      say(`The gateway crashed (${how}): restarting${waitMs ? ` in ${waitMs / 1000} s` : ''}.`);
      await sleep(waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (stop.signal.aborted) return SIGNAL_EXIT + constants.signals[stopSignal];
    }
  } finally {
    clearTimeout(late);
    unlisten();
  }
}

/**
 * Runs a Node program once and passes signals on.
 * @param {readonly string[]} args
 * @param {{ cwd: string }} options
 * @returns {Promise<number>} the exit code
 */
export async function runOnce(args, { cwd }) {
  const child = spawn(process.execPath, [...args], { cwd, stdio: 'inherit' });
  const unlisten = onSignals((signal) => child.kill(signal));
  const { code, signal } = await runToEnd(child);
  unlisten();
  return code ?? SIGNAL_EXIT + constants.signals[signal ?? 'SIGKILL'];
}

/**
 * Stops this process once its parent is gone: npx does not pass signals on to a program.
 * @param {number} [everyMs]
 */
export function stopWithParent(everyMs = 1_000) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, everyMs).unref();
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {number | undefined} port of the previous start, because clients know it
 */
function start(args, cwd, port) {
  return spawn(process.execPath, [...args], {
    cwd,
    env: { ...process.env, ...(port === undefined ? {} : { PORT: String(port) }) },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

/**
 * Kills a program that hangs.
 * @param {import('node:child_process').ChildProcess} child
 * @param {(line: string) => void} say
 * @param {Limits} limits
 */
function watchLiveness(child, say, { heartbeatMs = HEARTBEAT_MS, missedAtStart }) {
  const liveness = new Liveness();
  liveness.markStarting(missedAtStart);
  let isAlive = true;
  const timer = setInterval(() => {
    liveness.record(isAlive);
    isAlive = false;
    if (!liveness.isHung) return;
    clearInterval(timer);
    say('The gateway does not respond any more: killing it.');
    child.kill('SIGKILL');
  }, heartbeatMs);
  child.on('message', (message) => {
    isAlive = true;
    if (typeof message === 'object' && message !== null && 'ready' in message) liveness.markReady();
  });
  child.once('exit', () => clearInterval(timer));
}

/**
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, ready: number | undefined }} End
 *   ready: its port, if it served
 */

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {(ready: { reloads?: unknown }) => void} [onReady]
 * @returns {Promise<End>}
 */
function runToEnd(child, onReady) {
  return new Promise((resolve, reject) => {
    /** @type {number | undefined} */
    let ready;
    child.on('message', (message) => {
      const sent = /** @type {{ ready?: { port?: unknown, reloads?: unknown } } | null} */ (message)?.ready;
      if (typeof sent?.port !== 'number') return;
      ready = sent.port;
      onReady?.(sent);
    });
    child.on('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal, ready }));
  });
}

/**
 * @param {(signal: NodeJS.Signals) => void} listener @returns {() => void} removes the listeners
 */
function onSignals(listener) {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
