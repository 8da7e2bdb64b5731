// `npm run attacks -- --seconds 60`: all known attacks at once on a gateway of the production
// build. It must stay up, within its memory, and go on answering /healthz.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Checks } from '../crash/checks.mjs';
import { startGateway } from '../gateway.mjs';
import { openHostileSite } from './hostile-site.mjs';
import { ATTACKS, BROWSER_ATTACK } from './known-attacks.mjs';
import { sendRaw } from './requests.mjs';

const logs = fileURLToPath(new URL('../../../test-results/attacks', import.meta.url));
const PROBE = fileURLToPath(new URL('health-probe.mjs', import.meta.url));

const DEFAULT_SECONDS = 15;
const MIB = 1024 * 1024;
const MAX_MIB = 600;
const SAMPLE_MS = 100;
const PAYING = 4;
const FREE = 3;
const ATTACKER_NICENESS = 10;
/** The limits of keys would end most attacks at once; here they are not what protects. */
const SETTINGS = { RATE_PER_MINUTE: '1000000', RATE_PER_HOUR: '10000000' };

/**
 * @param {{ seconds?: number, healthMs?: number }} [options] healthMs: the longest time that
 *   /healthz may take, where asked for
 * @returns {Promise<import('../acceptance.mjs').Count>}
 */
export async function runAttacks({ seconds = DEFAULT_SECONDS, healthMs } = {}) {
  mkdirSync(logs, { recursive: true });
  const checks = new Checks();
  const site = await openHostileSite();
  const gateway = await startGateway({ ...SETTINGS, OUTBOUND_ALLOW: site.host });
  try {
    const target = await prepareTarget(gateway, site);
    const attacks = target.hasBrowser ? [...ATTACKS, BROWSER_ATTACK] : ATTACKS;
    const found = await attack(gateway, target, attacks, seconds);
    judge(checks, gateway, found, healthMs);
    const after = await sendRaw(gateway.baseUrl, '/v1/tools/call', {
      method: 'POST',
      headers: { authorization: `Bearer ${target.paying[3]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'math', skill: 'evaluate', input: { expression: '6*7' } }),
    });
    checks.holds('a call after the attacks is answered', after.status === 200 ? [] : [after.text]);
    const books = await gateway.admin('reconcile');
    checks.holds('the books agree', books.ok ? [] : [JSON.stringify(books)]);
  } finally {
    writeFileSync(`${logs}/gateway.log`, gateway.log());
    site.close();
    await gateway.stop();
  }
  const { passed, failed, failures } = checks;
  return { passed, failed, skipped: 0, notes: [], failures };
}

/**
 * @param {import('../gateway.mjs').TestGateway} gateway
 * @param {Awaited<ReturnType<typeof openHostileSite>>} site
 * @returns {Promise<import('./known-attacks.mjs').Target>}
 */
async function prepareTarget(gateway, site) {
  const paying = [];
  for (let n = 0; n < PAYING; n += 1) {
    const email = `attacker-${n}@test.test`;
    paying.push((await gateway.admin('account', 'create', '--email', email, '--credit-usd', '100')).api_key);
  }
  const free = [];
  for (let n = 0; n < FREE; n += 1) {
    const { text } = await sendRaw(gateway.baseUrl, '/v1/auth/provision', { method: 'POST' });
    free.push(JSON.parse(text).api_key);
  }
  const { text } = await sendRaw(gateway.baseUrl, '/v1/tools/screenshot/skills');
  const known = await fetch(`${gateway.baseUrl}/v1/tools/screenshot`);
  const tool = /** @type {{ available?: boolean }} */ (known.ok ? await known.json() : {});
  return {
    baseUrl: gateway.baseUrl,
    paying,
    free,
    site: site.url,
    hasBrowser: text !== '' && tool.available === true,
  };
}

/**
 * @typedef {object} Found
 * @property {number[]} latencies of /healthz, in milliseconds
 * @property {string[]} failures of /healthz
 * @property {number} peakBytes
 * @property {Map<string, Map<number, number>>} answers how often each attack was answered with each
 *   status
 */

/**
 * @param {import('../gateway.mjs').TestGateway} gateway
 * @param {import('./known-attacks.mjs').Target} target
 * @param {import('./known-attacks.mjs').Attack[]} attacks
 * @param {number} seconds
 * @returns {Promise<Found>}
 */
async function attack(gateway, target, attacks, seconds) {
  const probe = spawn(process.execPath, [PROBE, target.baseUrl], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  probe.stdout.on('data', (chunk) => (printed += chunk));
  const probed = new Promise((resolve) => probe.once('close', resolve));
  // Attackers compute elsewhere: here they must not take the gateway's share of the cores.
  setPriority(ATTACKER_NICENESS);
  let peakBytes = 0;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(gateway.pid));
  }, SAMPLE_MS);
  /** @type {Found['answers']} */
  const answers = new Map();
  const end = Date.now() + seconds * 1000;
  const lanes = attacks.flatMap((one) => Array.from({ length: one.lanes ?? 1 }, () => one));
  const running = lanes.map(async ({ name, step }) => {
    const counts = answers.get(name) ?? new Map();
    answers.set(name, counts);
    while (Date.now() < end) {
      const answer = /** @type {{ status?: number } | undefined} */ (await step(target));
      const status = answer?.status ?? -1;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === 0) await sleep(SAMPLE_MS);
    }
  });
  await Promise.race([Promise.all(running), sleep(seconds * 1000)]);
  clearInterval(sampler);
  probe.stdin.end();
  await probed;
  await Promise.all(running);
  return { ...JSON.parse(printed), peakBytes, answers };
}

/**
 * @param {Checks} checks
 * @param {import('../gateway.mjs').TestGateway} gateway
 * @param {Found} found
 * @param {number | undefined} healthMs
 */
function judge(checks, gateway, { latencies, failures, peakBytes, answers }, healthMs) {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const peakMib = Math.round(peakBytes / MIB);
  for (const [name, counts] of answers)
    console.log(
      `        ${name}: ${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    );
  console.log(
    `        /healthz ${sorted.length} times: p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, most ${at(1).toFixed(1)} ms; memory at most ${peakMib} MiB`,
  );
  checks.holds('the process that was attacked is still there', isAlive(gateway.pid) ? [] : ['it has ended']);
  checks.holds('/healthz was answered throughout', failures);
  checks.holds(
    `the gateway stays within ${MAX_MIB} MiB`,
    peakMib <= MAX_MIB ? [] : [`it took ${peakMib} MiB`],
  );
  if (healthMs !== undefined)
    checks.holds(
      `/healthz is answered within ${healthMs} ms`,
      sorted.length > 0 && at(1) <= healthMs ? [] : [`the slowest took ${at(1).toFixed(1)} ms`],
    );
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

/**
 * @param {number} pid
 * @returns {number} 0 where the process has ended, or the system has no /proc
 */
function residentBytes(pid) {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}
