// Child processes of the test command: everything it starts is known by its pid, and ended with it.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** A gateway drains its calls first, at most 20 s. */
const STOP_MS = 25_000;

/** @type {Set<ChildProcess>} */
const running = new Set();
let closed = false;

/**
 * @param {string[]} args of Node
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions, detached?: boolean }} options
 *   detached: a Ctrl-C in the terminal does not reach it, we end it
 * @returns {ChildProcess}
 */
export function startNode(args, { cwd, env, stdio = 'inherit', detached = false }) {
  if (closed) throw new Error('The tests are being stopped: nothing more is started');
  const child = spawn(process.execPath, args, { cwd, env, stdio, detached });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/**
 * Runs to the end.
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, quiet?: boolean }} options quiet: keeps the output instead of showing it
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export function runNode(args, { cwd, env, quiet = false }) {
  return new Promise((resolve, reject) => {
    const child = startNode(args, { cwd, env, stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk) => (stdout += chunk));
    child.stderr?.on('data', (chunk) => (stderr += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, stdout, stderr }));
  });
}

/**
 * Ends it as a crash does: it gets no moment to tidy up.
 * @param {ChildProcess} child
 */
export async function killProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await ended;
}

/**
 * Asks it to end, and makes it where it does not.
 * @param {ChildProcess} child
 */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // One that nobody waited for until now: without it this process could end first.
  child.ref();
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  const limit = sleep(STOP_MS, 'late', { ref: false });
  if ((await Promise.race([ended, limit])) !== 'late') return;
  await killProcess(child);
}

/** Ends whatever still runs. */
export async function stopAll() {
  await Promise.all([...running].map(stopProcess));
}

/** The same for good: a test that starts its gateway again and again must not do so after this. */
export async function stopAllForGood() {
  closed = true;
  await stopAll();
}
