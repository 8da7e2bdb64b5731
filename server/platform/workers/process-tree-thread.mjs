// Watches a process tree: its memory, its priority, and which process the kernel kills first when
// memory runs out. A thread, because reading /proc takes milliseconds that would delay calls.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

/** @typedef {{ pid: number, parent: number, started: string, nice: number }} Found */

/** @type {{ root: number, withRoot?: boolean, maxBytes: number, niceness: number }} */
const { root, withRoot = false, maxBytes, niceness } = workerData;
/** How often memory is read: a page can allocate about 2 GiB a second. */
const CALM_MS = 250;
const GROWING_MS = 50;
const PRIORITY_MS = 1_000;
const PS_MS = 1_000;
/** The program itself maps this much of files; anything above may be shared memory. */
const PROGRAM_BYTES = 400 * 1024 * 1024;
const OOM_FIRST = '1000';

/** @type {Map<number, string>} start times of running processes that ever belonged to the tree */
const known = new Map();
let adjustedAt = 0;
let ended = false;

parentPort?.on('message', () => {
  try {
    ended = true;
    for (const pid of readTree().keys()) if (pid !== root) kill(pid);
  } finally {
    parentPort?.close();
  }
});
poll();

function poll() {
  if (ended) return;
  let bytes = 0;
  try {
    bytes = watch();
  } catch {
    // Retried at the next poll.
  }
  const growing = bytes > maxBytes / 3;
  setTimeout(poll, process.platform === 'linux' ? (growing ? GROWING_MS : CALM_MS) : PS_MS);
}

/** @returns {number} bytes of the whole tree */
function watch() {
  const tree = readTree();
  const sizes = [...tree].map(([pid, { bytes }]) => ({ pid, bytes }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > maxBytes) {
    const [largest] = sizes.filter(({ pid }) => withRoot || pid !== root).sort((a, b) => b.bytes - a.bytes);
    if (largest) kill(largest.pid);
  }
  if (performance.now() - adjustedAt > PRIORITY_MS) {
    adjustedAt = performance.now();
    for (const pid of tree.keys()) lower(pid);
  }
  return total;
}

/** @returns {Map<number, { bytes: number }>} the processes of the tree, orphaned ones included */
function readTree() {
  /** @type {(Found & { bytes?: number })[]} */
  const all = process.platform === 'linux' ? readProc() : readPs();
  /** @type {Map<number, (Found & { bytes?: number })[]>} */
  const children = new Map();
  const byPid = new Map(all.map((each) => [each.pid, each]));
  for (const each of all) children.set(each.parent, [...(children.get(each.parent) ?? []), each]);
  for (const [pid, started] of known) if (byPid.get(pid)?.started !== started) known.delete(pid);
  const open = [root, ...known.keys()];
  /** @type {Map<number, { bytes: number }>} */
  const tree = new Map();
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const own = byPid.get(pid);
    if (!own || tree.has(pid)) continue;
    if (pid !== root) known.set(pid, own.started);
    tree.set(pid, { bytes: own.bytes ?? bytesOf(pid) });
    for (const child of children.get(pid) ?? []) open.push(child.pid);
  }
  return tree;
}

/** @returns {Found[]} */
function readProc() {
  return readdirSync('/proc').flatMap((name) => {
    const found = /^\d+$/.test(name) ? readStat(`/proc/${name}/stat`) : null;
    return found ? [found] : [];
  });
}

/** @param {string} path @returns {Found | null} */
function readStat(path) {
  const text = readText(path);
  // The name before the last parenthesis may itself contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const pid = Number.parseInt(text, 10);
  if (!Number.isInteger(pid) || fields[0] === 'Z') return null;
  return { pid, parent: Number(fields[1]), started: fields[19] ?? '', nice: Number(fields[16]) };
}

/** @returns {(Found & { bytes: number })[]} */
function readPs() {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,rss=,lstart='], { encoding: 'utf8' });
  return String(stdout ?? '')
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, kib, started = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      if (pid === undefined) return [];
      return [{ pid: Number(pid), parent: Number(parent), bytes: Number(kib) * 1024, started, nice: 0 }];
    });
}

/** Its private memory and swap, and the memory that it shares. @param {number} pid */
function bytesOf(pid) {
  const text = readText(`/proc/${pid}/status`);
  const read = (/** @type {string} */ name) =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
  const mapped = Math.max(0, read('RssFile') - PROGRAM_BYTES);
  return read('RssAnon') + read('RssShmem') + read('VmSwap') + mapped;
}

/** Chromium may raise its threads above the gateway, and exempts itself from being killed first. */
function lower(/** @type {number} */ pid) {
  if (process.platform !== 'linux') return void attempt(() => setPriority(pid, niceness));
  if (readText(`/proc/${pid}/oom_score_adj`).trim() !== OOM_FIRST)
    attempt(() => writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_FIRST));
  attempt(() => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const found = readStat(`/proc/${pid}/task/${thread}/stat`);
      if (found && found.nice < niceness) setPriority(Number(thread), niceness);
    }
  });
}

/** @param {number} pid */
function kill(pid) {
  attempt(() => process.kill(pid, 'SIGKILL'));
}

/** Ignores that a process has just ended or belongs to another user. @param {() => void} work */
function attempt(work) {
  try {
    work();
  } catch {
    // Retried at the next poll.
  }
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
