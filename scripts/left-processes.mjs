// Finds processes that a test started and did not stop, by the folders of the run. Linux only.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A gateway that is being stopped first drains its calls. */
const GRACE_MS = 30_000;
const POLL_MS = 200;

/**
 * Waits until no process has one of these folders in its command line or environment.
 * @param {string[]} folders
 * @param {number} [graceMs]
 * @returns {Promise<{ pid: number, command: string }[]>} those that still run; empty without /proc
 */
export async function findLeftProcesses(folders, graceMs = GRACE_MS) {
  for (const end = performance.now() + graceMs; ; await sleep(POLL_MS)) {
    const left = listProcesses(folders);
    if (left.length === 0 || performance.now() > end) return left;
  }
}

/** @param {string[]} folders */
function listProcesses(folders) {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      const command = readProcess(pid, 'cmdline');
      const text = `${command}\0${readProcess(pid, 'environ')}`;
      const isOurs = folders.some((folder) => text.includes(folder));
      return isOurs ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ').trim() }] : [];
    });
}

/**
 * @param {string} pid
 * @param {string} file
 * @returns {string} empty if the process has ended or belongs to another user
 */
function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
