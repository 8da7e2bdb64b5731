// What code in a compromised worker would try, for confinement.test.ts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** The program that the machine's root runs after a crash. */
const KERNEL_SETTING = '/proc/sys/kernel/core_pattern';

/** @param {() => string} attempt */
function attemptTo(attempt) {
  try {
    return attempt();
  } catch {
    return '';
  }
}

/**
 * @param {{ secrets: string[], parent: number, port: number, targets: string[], own: string }}
 *   wishes
 * @returns {Promise<{ secrets: string, environment: string, processes: string, kernel: string,
 *   connected: boolean, own: string }>}
 */
export async function misbehave({ secrets, parent, port, targets, own }) {
  for (const path of targets) attemptTo(() => String(writeFileSync(path, 'was here')));
  writeFileSync(own, 'was here');
  const pids = attemptTo(() => readdirSync('/proc').join(' '))
    .split(' ')
    .filter(Number);
  return {
    secrets: secrets.map((path) => attemptTo(() => readFileSync(path, 'utf8'))).join(''),
    environment: attemptTo(() => readFileSync(`/proc/${parent}/environ`, 'utf8')),
    processes: pids.map((pid) => attemptTo(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))).join('\n'),
    // Writes the existing value, so that a success changes nothing.
    kernel: attemptTo(() => {
      writeFileSync(KERNEL_SETTING, readFileSync(KERNEL_SETTING));
      return 'written';
    }),
    connected: await reaches(port),
    own: readFileSync(own, 'utf8'),
  };
}

/** @param {number} port */
async function reaches(port) {
  const socket = connect(port, '127.0.0.1');
  const answer = new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  return Boolean(await answer.finally(() => socket.destroy()));
}

/**
 * Appends to a file for as long as it lives.
 * @param {{ path: string }} payload
 * @returns {Promise<never>}
 */
export async function beat({ path }) {
  for (;;) {
    writeFileSync(path, 'x', { flag: 'a' });
    await wait(20);
  }
}
