// What a large file costs the gateway in memory: an upload of 100 MiB, and downloads of it, whole and in part; and what a
// thousand streams leave in it.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Checks } from './crash/checks.mjs';
import { startGateway } from './gateway.mjs';
import { runStreams } from './memory-streams.mjs';

const logs = fileURLToPath(new URL('../../test-results/memory', import.meta.url));

const MIB = 1024 * 1024;
const FILE_BYTES = 100 * MIB;
const MAX_IDLE_MIB = 320;
const MAX_GROWTH_MIB = 150;
const SAMPLE_MS = 20;
/** A client that reads slowly: what it has not taken yet may not wait in the gateway's memory. */
const PAUSE_EVERY_BYTES = 8 * MIB;
const PAUSE_MS = 50;
const PARALLEL = 4;
const BOUNDARY = 'memory-test-boundary';

/** @returns {Promise<import('./acceptance.mjs').Count>} */
export async function runMemory() {
  mkdirSync(logs, { recursive: true });
  const checks = new Checks();
  const gateway = await startGateway();
  try {
    await measure(checks, gateway);
  } finally {
    writeFileSync(join(logs, 'gateway.log'), gateway.log());
    await gateway.stop();
  }
  await measureStreams(checks);
  const { passed, failed, failures } = checks;
  return { passed, failed, skipped: 0, notes: [], failures };
}

/**
 * @param {Checks} checks
 * @param {import('./gateway.mjs').TestGateway} gateway
 */
async function measure(checks, gateway) {
  const made = await gateway.admin('account', 'create', '--email', 'memory@test.test', '--credit-usd', '0');
  const send = (/** @type {number} */ size) => upload(gateway.baseUrl, made.api_key, size);
  // Once in small, so that idle is with all modules loaded.
  const small = await send(1024);
  await download(`${gateway.baseUrl}/v1/assets/${small.answer.asset_id}`);
  await sleep(1000);
  const watch = watchMemory(gateway.pid);

  const { answer, hash } = await send(FILE_BYTES);
  holds(checks, 'an upload of 100 MiB is stored', answer.size_bytes === FILE_BYTES, JSON.stringify(answer));
  const address = `${gateway.baseUrl}/v1/assets/${answer.asset_id}`;
  const wholes = await Promise.all(Array.from({ length: PARALLEL }, () => download(address)));
  holds(
    checks,
    `${PARALLEL} slow clients at once get it byte by byte`,
    wholes.every((whole) => whole.status === 200 && whole.hash === hash),
    JSON.stringify(wholes),
  );
  const half = await download(address, `bytes=${FILE_BYTES / 2}-`);
  holds(
    checks,
    'a range of 50 MiB is a range',
    half.status === 206 && half.size === FILE_BYTES / 2,
    JSON.stringify(half),
  );

  const { idle, peak } = watch.stop();
  const growth = (peak - idle) / MIB;
  console.log(`        idle ${Math.round(idle / MIB)} MiB, at most ${Math.round(growth)} MiB more`);
  holds(
    checks,
    `the gateway takes at most ${MAX_IDLE_MIB} MiB at rest`,
    idle <= MAX_IDLE_MIB * MIB,
    `${idle / MIB} MiB`,
  );
  holds(
    checks,
    `the gateway stays within ${MAX_GROWTH_MIB} MiB of idle`,
    growth <= MAX_GROWTH_MIB,
    `${growth} MiB`,
  );
}

/** @param {Checks} checks */
async function measureStreams(checks) {
  const many = { RATE_PER_MINUTE: '100000', RATE_PER_HOUR: '1000000', CONCURRENT_CALLS: '2000' };
  const gateway = await startGateway(many);
  try {
    const { idle, peak, after, most, wrong } = await runStreams(gateway, residentBytes);
    const mib = (/** @type {number} */ bytes) => `${Math.round(bytes / MIB)} MiB`;
    console.log(`        idle ${mib(idle)}, at most ${mib(peak)}, then ${mib(after)}`);
    checks.holds('a thousand streams end with their result, and uploads beside them are kept whole', wrong);
    holds(
      checks,
      'memory is back within 20 % of what it was after a thousand streams and uploads of 8 MiB',
      after <= most,
      `${mib(after)} of ${mib(most)}`,
    );
  } finally {
    writeFileSync(join(logs, 'streams.log'), gateway.log());
    await gateway.stop();
  }
}

/**
 * @param {Checks} checks
 * @param {string} guarantee
 * @param {boolean} ok
 * @param {string} found
 */
function holds(checks, guarantee, ok, found) {
  checks.holds(guarantee, ok ? [] : [found]);
}

/** @param {number} pid */
function watchMemory(pid) {
  const idle = residentBytes(pid);
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return { idle, peak: Math.max(peak, residentBytes(pid)) };
    },
  };
}

/** @param {number} pid */
function residentBytes(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  const kib = Number.parseInt(stdout, 10);
  if (!kib) throw new Error(`No memory of process ${pid} was found`);
  return kib * 1024;
}

/**
 * Sends so many bytes as they are made.
 * @param {string} baseUrl
 * @param {string} key
 * @param {number} size
 * @returns {Promise<{ answer: { asset_id: string, size_bytes: number }, hash: string }>}
 */
async function upload(baseUrl, key, size) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`;
  const tail = `\r\n--${BOUNDARY}--\r\n`;
  const sum = createHash('sha256');
  const sent = request(`${baseUrl}/v1/assets/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + size + tail.length,
    },
  });
  const answered = new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      if (response.statusCode === 200) resolve(JSON.parse(text));
      else reject(new Error(`The upload was answered ${response.statusCode}: ${text}`));
    });
  });
  sent.write(head);
  for (let left = size; left > 0; ) {
    const chunk = randomBytes(Math.min(left, MIB));
    sum.update(chunk);
    left -= chunk.length;
    if (!sent.write(chunk)) await new Promise((resolve) => sent.once('drain', resolve));
  }
  sent.end(tail);
  return { answer: await answered, hash: sum.digest('hex') };
}

/**
 * Reads with pauses.
 * @param {string} address
 * @param {string} [range]
 */
async function download(address, range) {
  const response = await fetch(address, { headers: range ? { range } : {} });
  const sum = createHash('sha256');
  let size = 0;
  let pauseAt = PAUSE_EVERY_BYTES;
  for await (const chunk of response.body ?? []) {
    sum.update(chunk);
    size += chunk.byteLength;
    if (size < pauseAt) continue;
    pauseAt += PAUSE_EVERY_BYTES;
    await sleep(PAUSE_MS);
  }
  return { status: response.status, size, hash: sum.digest('hex') };
}
