// `npm start` under fire: its gateway is killed, and poisoned, and answers again; stopped, nothing
// of it is left.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../gateway.mjs';
import { createAccount } from './accounts.mjs';
import { diagnostics, send } from './client.mjs';

const POLL_MS = 20;
const AGAIN_MS = 60_000;
/**
 * From the crash until the next process runs. It answers when it has started, which is the
 * machine's speed.
 */
const RESTART_MS = 2_000;
/** The parent may take little: the memory is the gateway's. */
const SUPERVISOR_MIB = 80;
/** Into the gateway: an exception that nobody catches, when it is signalled. */
const POISON = 'process.on("SIGUSR2",()=>setImmediate(()=>{throw new TypeError("poison")}))';

/**
 * @param {import('./checks.mjs').Checks} checks
 * @param {(log: string) => void} keepLog
 */
export async function runSupervised(checks, keepLog) {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-supervised-'));
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(POISON)}`;
  const gateway = await startGateway({ DATA_DIR: dataDir, NODE_OPTIONS }, 'scripts/start.mjs');
  const read = () => readHolder(dataDir);
  try {
    const [key = ''] = (await createAccount(gateway, 'supervised', { keys: 1, creditUsd: 1 })).keys;
    const answers = async () => {
      const json = diagnostics('echo', { message: 'x' });
      return (await send(`${gateway.baseUrl}/v1/tools/call`, key, 'POST', { json })).status;
    };
    checks.equals('a call is answered under the supervisor', await answers(), 200);
    for (const [how, signal] of /** @type {const} */ ([
      ['killed', 'SIGKILL'],
      ['ended by an exception', 'SIGUSR2'],
    ])) {
      const before = read();
      const begun = performance.now();
      const restarts = countRestarts(gateway.log());
      process.kill(before, signal);
      const again = await waitFor(() => countRestarts(gateway.log()) > restarts, AGAIN_MS);
      const restartMs = performance.now() - begun;
      checks.holds(
        `a gateway that was ${how} is started again within 2 s`,
        again && restartMs < RESTART_MS ? [] : [`${Math.round(restartMs)} ms`],
      );
      await waitFor(() => read() !== before && read() !== 0, AGAIN_MS);
      const answered = await waitFor(() => isHealthy(gateway.baseUrl), AGAIN_MS);
      checks.equals(`it answers at the same address after it was ${how}`, answered && (await answers()), 200);
      console.log(`  ${how}: answers again after ${Math.round(performance.now() - begun)} ms`);
    }
    const lines = gateway.log().split('\n');
    const fatal = lines.filter((line) => line.includes('process.uncaught_exception'));
    checks.equals('the exception is one line of JSON', fatal.map(toLevel), ['fatal']);
    if (process.platform === 'linux')
      checks.holds('the supervisor is small', toProblems(residentMib(gateway.pid), SUPERVISOR_MIB));
    const last = read();
    await gateway.stop();
    checks.equals(
      'a stop of the supervisor ends the gateway too',
      [isAlive(last), existsSync(dataDir)],
      [false, false],
    );
  } finally {
    keepLog(gateway.log());
    await gateway.stop();
  }
}

/** @param {string} log */
function countRestarts(log) {
  return log.split('it is started again').length - 1;
}

/** @param {string} dataDir @returns {number} the process that has the data folder; 0 for none */
function readHolder(dataDir) {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'gateway.lock'), 'utf8')).pid;
  } catch {
    return 0;
  }
}

/** @param {string} baseUrl */
async function isHealthy(baseUrl) {
  return await fetch(`${baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** @param {string} line */
function toLevel(line) {
  try {
    return JSON.parse(line).level;
  } catch {
    return line;
  }
}

/** @param {number} pid */
function residentMib(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

/** @param {number} mib @param {number} most */
function toProblems(mib, most) {
  return mib > 0 && mib <= most ? [] : [`${Math.round(mib)} MiB`];
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** @param {() => boolean | Promise<boolean>} condition @param {number} limitMs */
async function waitFor(condition, limitMs) {
  for (const end = performance.now() + limitMs; performance.now() < end; await sleep(POLL_MS))
    if (await condition()) return true;
  return false;
}
