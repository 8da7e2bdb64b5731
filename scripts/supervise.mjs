// The supervisor of `npm start`: a parent process that only waits, to restart the gateway quickly.
// It loads only Node's own modules, to stay small.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** After this uptime a crash is not a failed start: the next restart is immediate again. */
const CALM_MS = 60_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;
/** Consecutive failed starts after which it gives up. */
const MAX_FAILED_STARTS = 5;
const SIGNAL_EXIT = 128;

/**
 * Runs a Node program until it is stopped or exits with 0, and restarts it after a crash. The
 * program sends `{ ready: { port } }` once it serves; if the first start fails before, it is not
 * retried.
 * @param {readonly string[]} args
 * @param {{ cwd: string, firstWaitMs?: number, say?: (line: string) => void }} options
 * @returns {Promise<number>} the exit code
 */
export async function supervise(args, { cwd, firstWaitMs = FIRST_WAIT_MS, say = console.error }) {
  const stop = new AbortController();
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  /** @type {NodeJS.Signals} */
  let stopSignal = 'SIGTERM';
  const unlisten = onSignals((signal) => {
    stopSignal = signal;
    child?.kill(signal);
    stop.abort();
  });
  /** @type {number | undefined} */
  let port;
  let crashes = 0;
  let failedStarts = 0;
  try {
    for (;;) {
      const begun = performance.now();
      child = start(args, cwd, port);
      const { code, signal, ready } = await runToEnd(child);
      const exitCode = code ?? SIGNAL_EXIT + constants.signals[signal ?? 'SIGKILL'];
      port ??= ready;
      if (code === 0 || stop.signal.aborted || port === undefined) return exitCode;
      failedStarts = ready === undefined ? failedStarts + 1 : 0;
      if (failedStarts === MAX_FAILED_STARTS) {
        say(`The gateway crashed and failed to start ${failedStarts} times in a row: not restarting it.`);
        return exitCode;
      }
      crashes = performance.now() - begun > CALM_MS ? 1 : crashes + 1;
      const waitMs = crashes === 1 ? 0 : Math.min(firstWaitMs * 2 ** (crashes - 2), MAX_WAIT_MS);
      const how = signal ?? `exit code ${code}`;
      say(`The gateway crashed (${how}): restarting${waitMs ? ` in ${waitMs / 1000} s` : ''}.`);
      await sleep(waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (stop.signal.aborted) return SIGNAL_EXIT + constants.signals[stopSignal];
    }
  } finally {
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
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, ready: number | undefined }} End
 *   ready: its port, if it served
 */

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<End>}
 */
function runToEnd(child) {
  return new Promise((resolve, reject) => {
    /** @type {number | undefined} */
    let ready;
    child.on('message', (message) => {
      const port = /** @type {{ ready?: { port?: unknown } } | null} */ (message)?.ready?.port;
      if (typeof port === 'number') ready = port;
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
