// Runs all known attacks on a gateway at once. `ATTACK_SECONDS=60 ATTACK_HEALTH_MS=100` is the long
// run for an idle machine, with a limit on the latency of /healthz; `ATTACK_ONLY=names` selects
// attacks by a part of their name.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNLIMITED_RATES } from '../support/unlimited-rates';
import { startHostileSite } from './attacks/hostile-site';
import { ATTACKS, BROWSER_ATTACK, createSleepAttack, type Target } from './attacks/known-attacks';
import { sendRaw } from './attacks/requests';
import { type AttackResult, runAttacks } from './attacks/run-attacks';
import { inMib, MIB } from './fixtures/resident-memory';
import { setupGateway } from './fixtures/setup-gateway';

const SECONDS = Number(process.env.ATTACK_SECONDS || 15);
const HEALTH_MS = Number(process.env.ATTACK_HEALTH_MS || 0);
const SCENARIO_LIMIT_MS = SECONDS * 1000 + 300_000;
const MAX_MIB = 600;
const PAYING = 4;
const FREE = 3;

const site = await startHostileSite();
afterAll(() => site.close());

const gateway = setupGateway('attacks/gateway', {
  // The rate limits of keys would stop most attacks, so they are raised.
  settings: {
    ...UNLIMITED_RATES,
    OUTBOUND_ALLOW: site.host,
    WORKER_NICENESS: '15',
  },
});
let target: Target;
let result: AttackResult;

beforeAll(async () => {
  target = await createTarget();
  const all = [...ATTACKS, createSleepAttack(SECONDS), ...(target.hasBrowser ? [BROWSER_ATTACK] : [])];
  const attacks = all.filter(({ name }) => name.includes(process.env.ATTACK_ONLY ?? ''));
  result = await runAttacks(gateway.pid, target, attacks, SECONDS);
  printSummary(result);
}, SCENARIO_LIMIT_MS);

test('the gateway process survives the attacks', () => {
  expect(() => process.kill(gateway.pid, 0)).not.toThrow();
});

test('/healthz responds throughout the attacks', () => {
  expect(result.health.failures).toEqual([]);
  expect(result.health.latencies.length).toBeGreaterThan(0);
});

test(`the gateway stays within ${MAX_MIB} MiB`, () => {
  expect(result.peakBytes / MIB).toBeLessThanOrEqual(MAX_MIB);
});

if (HEALTH_MS > 0)
  test(`/healthz responds within ${HEALTH_MS} ms`, () => {
    expect(Math.max(...result.health.latencies)).toBeLessThanOrEqual(HEALTH_MS);
  });

test('a call after the attacks succeeds', async () => {
  const answer = await sendRaw(gateway.baseUrl, '/v1/tools/call', {
    method: 'POST',
    headers: { authorization: `Bearer ${target.paying.at(-1)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'math', skill: 'evaluate', input: { expression: '6*7' } }),
  });
  expect(answer).toMatchObject({ status: 200 });
});

test('reconcile finds no difference after the attacks', async () => {
  expect(await gateway.admin('reconcile')).toMatchObject({ ok: true });
});

async function createTarget(): Promise<Target> {
  const document = ['--openapi', site.url('/openapi.json'), '--name', 'hostile'];
  await gateway.admin(
    'tools',
    'import',
    ...document,
    '--allow-private',
    '--free',
    '--category',
    'data',
    '--yes',
  );
  const paying: string[] = [];
  for (let n = 0; n < PAYING; n++) {
    const email = `attacker-${n}@test.test`;
    paying.push((await gateway.admin('account', 'create', '--email', email, '--credit-usd', '100')).api_key);
  }
  const free: string[] = [];
  for (let n = 0; n < FREE; n++) {
    const { text } = await sendRaw(gateway.baseUrl, '/v1/auth/provision', { method: 'POST' });
    free.push(JSON.parse(text).api_key);
  }
  const screenshots = await fetch(`${gateway.baseUrl}/v1/tools/screenshot`);
  const hasBrowser = screenshots.ok && (await screenshots.json()).available === true;
  return { baseUrl: gateway.baseUrl, paying, free, site: site.url, hasBrowser };
}

function printSummary({ answers, health: { latencies }, peakBytes }: AttackResult): void {
  for (const [name, counts] of answers)
    console.log(`${name}: ${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}`);
  const sorted = latencies.toSorted((a, b) => a - b);
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) =>
    (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1),
  );
  console.log(`/healthz: ${sorted.length} requests, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`);
  console.log(`memory: at most ${inMib(peakBytes)}`);
}
