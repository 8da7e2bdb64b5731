// `npm run soak -- --minutes 10 [--rate N] [--kill-every 45]`: half of what the processes of compose.yaml can take, for long,
// while one after the other is killed. Every answer is looked at; in the end the books are. Writes test-results/soak.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isBuilt } from '../../build.mjs';
import { createAccount } from '../crash/accounts.mjs';
import { Checks } from '../crash/checks.mjs';
import { Load } from '../crash/load.mjs';
import { stopAllForGood } from '../processes.mjs';
import { Cluster } from './cluster.mjs';
import { countOf, judgeLoad, untilQuiet } from './judge.mjs';
import { Pace } from './pace.mjs';

/** @typedef {{ name: string, pid: number, before: number, after: number }} Memory in bytes */

const results = fileURLToPath(new URL('../../../test-results/', import.meta.url));
const LOAD = { quick: 24, sync: 5, stream: 4, batch: 2, job: 5 };
const WARM_UP_MS = 5_000;
const MEASURE_MS = 10_000;
const SHARE_OF_MAXIMUM = 0.5;
const MOST_GROWTH = 1.2;
/** A heap shrinks some seconds after its work has ended. */
const IDLE_MS = 20_000;
const IDLE_LOOK_MS = 500;
const AWAY_MS = 500;
const KEYS = 8;
const CREDIT_USD = 100_000;
const SETTINGS = {
  LEASE_SECONDS: '6',
  RATE_PER_MINUTE: '1000000',
  RATE_PER_HOUR: '10000000',
  CONCURRENT_CALLS: '64',
};

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string' },
    'kill-every': { type: 'string', default: '45' },
  },
});
const minutes = Number(values.minutes);
const killEveryMs = Number(values['kill-every']) * 1000;
if (!(minutes > 0) || !(killEveryMs > 0)) {
  console.error('Say --minutes and --kill-every as numbers above 0.');
  process.exit(2);
}
if (!isBuilt())
  console.error('The build is not of these sources: npm run build first. Going on with what is there.');
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => void stopAllForGood().then(() => process.exit(130)));

const checks = new Checks();
const cluster = await Cluster.start(SETTINGS);
let code = 1;
try {
  code = await soak();
} catch (error) {
  console.error(error);
} finally {
  mkdirSync(results, { recursive: true });
  writeFileSync(`${results}soak.log`, cluster.log());
  await cluster.stop();
  await stopAllForGood();
}
process.exit(code);

async function soak() {
  const { keys } = await createAccount(cluster, 'soak', { keys: KEYS, creditUsd: CREDIT_USD });
  const pace = new Pace();
  const load = new Load(cluster, keys, { clients: LOAD, pause: () => pace.turn() });
  load.begin();
  await sleep(WARM_UP_MS);
  const maximum = await measure(load, MEASURE_MS);
  const rate = values.rate === undefined ? maximum * SHARE_OF_MAXIMUM : Number(values.rate);
  console.log(`  ${maximum.toFixed(0)} requests a second at most; going on with ${rate.toFixed(0)}`);
  pace.perSecond = rate;

  // First half: each of them dies in turn. Second half: only the last one does, so that the others can be weighed.
  const half = (minutes * 60_000) / 2;
  await killFor(half, cluster.members);
  pace.stop();
  await settle();
  const before = await weigh();
  pace.go();
  const costs = await readCosts();
  const begun = performance.now();
  const answeredBefore = countOf(load.operations).answered;
  await killFor(half, cluster.members.slice(-1));
  const sustained =
    ((countOf(load.operations).answered - answeredBefore) / (performance.now() - begun)) * 1000;
  const connections = await countConnections();
  pace.go(Number.POSITIVE_INFINITY);
  await load.end();
  await settle();
  const after = await weigh();

  await judgeLoad(checks, cluster, load.operations);
  const survivors = cluster.members.flatMap(({ name, pid }) => {
    const was = before.get(pid);
    const is = after.get(pid);
    return was && is ? [{ name, pid, before: was, after: is }] : [];
  });
  checks.holds('who was not killed has the memory it had, within a fifth', [
    ...(survivors.length > 0 ? [] : ['nobody was left to be weighed']),
    ...survivors
      .filter((memory) => memory.after > memory.before * MOST_GROWTH)
      .map(({ name, before: was, after: is }) => `${name}: ${mib(was)} before, ${mib(is)} after`),
  ]);
  const cost = await readCosts();
  const calls = cost.calls - costs.calls;
  const perCall = {
    wal: (cost.wal - costs.wal) / calls,
    disk: (cost.disk - costs.disk) / calls,
    connections,
  };
  report({ perCall, maximum, rate, sustained, survivors, counts: countOf(load.operations) });
  return checks.failed === 0 ? 0 : 1;
}

/** @param {Load} load @param {number} ms @returns {Promise<number>} requests a second */
async function measure(load, ms) {
  const before = countOf(load.operations).answered;
  await sleep(ms);
  return ((countOf(load.operations).answered - before) / ms) * 1000;
}

/** @param {number} ms @param {import('./member.mjs').Member[]} members killed in turn */
async function killFor(ms, members) {
  const end = performance.now() + ms;
  for (let n = 0; ; n++) {
    const next = performance.now() + killEveryMs;
    if (next >= end) break;
    await sleep(killEveryMs);
    const member = members[n % members.length];
    await member?.dieAndReturn(AWAY_MS);
    console.log(`  ${member?.name} was killed and is back`);
  }
  await sleep(Math.max(0, end - performance.now()));
}

/** What calls have cost the database up to now. */
async function readCosts() {
  const [row] = await cluster.sql`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      (select coalesce(sum(calls), 0) from usage_rollups)::float8 as calls,
      (select sum(pg_total_relation_size(c.oid)) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = 'r')::float8 as disk`;
  return { wal: row?.wal, calls: row?.calls, disk: row?.disk };
}

async function countConnections() {
  const [row] = await cluster.sql`
    select count(*)::int as open from pg_stat_activity where application_name like 'tool-gateway%'`;
  return row?.open;
}

/** What was begun is ended: else memory would be weighed while calls run. */
async function settle() {
  await untilQuiet(cluster);
}

/** The least that each process occupies while nothing happens. @returns {Promise<Map<number, number>>} by pid */
async function weigh() {
  /** @type {Map<number, number>} */
  const least = new Map();
  for (const end = performance.now() + IDLE_MS; performance.now() < end; await sleep(IDLE_LOOK_MS))
    for (const member of cluster.members)
      least.set(
        member.pid,
        Math.min(least.get(member.pid) ?? Number.POSITIVE_INFINITY, member.residentBytes()),
      );
  return least;
}

function mib(/** @type {number} */ bytes) {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}

/**
 * @param {{ perCall: { wal: number, disk: number, connections: number }, maximum: number, rate: number, sustained: number, survivors: Memory[], counts: ReturnType<typeof countOf> }} found
 */
function report({ perCall, maximum, rate, sustained, survivors, counts }) {
  const killed = cluster.members.map(
    ({ name, kills, longestDownMs }) =>
      `${name} ${kills} times (longest away ${(longestDownMs / 1000).toFixed(1)} s)`,
  );
  const lines = [
    '# Soak',
    '',
    `${new Date().toISOString()}: ${minutes} minutes on ${cpus().length} cores, ${cluster.members.length} processes and PostgreSQL, the clients beside them.`,
    '',
    `- Most requests a second of the mix: ${maximum.toFixed(1)}; asked for: ${rate.toFixed(1)}; answered: ${sustained.toFixed(1)}`,
    `- Requests: ${counts.sent} sent, ${counts.answered} answered, ${counts.wrong} wrong, ${counts.cut} cut off by a kill, ${counts.refused} refused and sent again`,
    `- Of each call: ${(perCall.wal / 1024).toFixed(1)} KiB of WAL, ${perCall.disk.toFixed(0)} bytes of tables and indexes; ${perCall.connections} connections under load`,
    `- Killed: ${killed.join(', ')}`,
    ...survivors.map(
      ({ name, before, after }) =>
        `- Memory of ${name} while idle: ${mib(before)} before, ${mib(after)} after`,
    ),
    `- ${checks.passed} guarantees held, ${checks.failed} did not`,
    '',
  ];
  writeFileSync(`${results}soak.md`, lines.join('\n'));
  console.log(`\n${lines.slice(2).join('\n')}`);
}
