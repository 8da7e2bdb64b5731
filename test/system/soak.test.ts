// `npm run soak`: runs the processes of compose.yaml at half of their capacity and kills them in
// turn. SOAK_MINUTES, SOAK_RATE (per second), SOAK_KILL_EVERY (s). Writes test-results/soak.md.
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { UNLIMITED_RATES } from '../support/unlimited-rates';
import { createAccount } from './fixtures/accounts';
import { type Books, waitUntilIdle } from './fixtures/books';
import { countOperations, Load } from './fixtures/load';
import { saveResult } from './fixtures/test-results';
import { Cluster } from './scale/cluster';
import { readClusterBooks, testClusterBooks } from './scale/cluster-books-suite';
import type { Member } from './scale/member';
import { Pace } from './scale/pace';

interface Costs {
  /** Bytes of WAL. */
  wal: number;
  calls: number;
  /** Bytes of tables and indexes. */
  disk: number;
}

/** Resident memory in bytes of an idle process that was not killed in between. */
interface Memory {
  name: string;
  before: number;
  after: number;
}

const CLIENTS = { quick: 24, sync: 5, stream: 4, batch: 2, job: 5 };
const WARM_UP_MS = 5_000;
const MEASURE_MS = 10_000;
const SHARE_OF_MAXIMUM = 0.5;
const MAX_GROWTH = 1.2;
/** A heap shrinks only some seconds after the work has ended. */
const IDLE_MS = 20_000;
const IDLE_INTERVAL_MS = 500;
const DOWN_MS = 500;
const KEYS = 8;
const CREDIT_USD = 100_000;
const SETTINGS = {
  LEASE_SECONDS: '6',
  ...UNLIMITED_RATES,
  CONCURRENT_CALLS: '64',
};

const positive = z.coerce.number().positive();
const options = z
  .object({
    SOAK_MINUTES: positive.default(10),
    SOAK_RATE: positive.optional(),
    SOAK_KILL_EVERY: positive.default(45),
  })
  .parse(process.env);
const halfMs = (options.SOAK_MINUTES * 60_000) / 2;
const killEveryMs = options.SOAK_KILL_EVERY * 1000;
const SCENARIO_MS = 2 * halfMs + 15 * 60_000;

let cluster: Cluster;
let load: Load;
let books: Books;
let memory: Memory[];

beforeAll(async () => {
  cluster = await Cluster.start(SETTINGS);
  const { keys } = await createAccount(cluster, 'soak', { keys: KEYS, creditUsd: CREDIT_USD });
  const pace = new Pace();
  load = new Load(cluster, keys, { clients: CLIENTS, pause: () => pace.waitForTurn() });
  try {
    load.begin();
    await sleep(WARM_UP_MS);
    const maximum = await measureRate(() => sleep(MEASURE_MS));
    const rate = options.SOAK_RATE ?? maximum * SHARE_OF_MAXIMUM;
    pace.perSecond = rate;
    // First half: kill all in turn. Second half: kill only the last and compare the others.
    await killFor(halfMs, cluster.members);
    pace.stop();
    await waitUntilIdle(cluster.sql);
    const residentBefore = await readIdleMemory();
    pace.resume();
    const costsBefore = await readCosts();
    const answered = await measureRate(() => killFor(halfMs, cluster.members.slice(-1)));
    const connections = await countConnections();
    pace.resume(Number.POSITIVE_INFINITY);
    await load.end();
    await waitUntilIdle(cluster.sql);
    memory = compareMemory(residentBefore, await readIdleMemory());
    books = await readClusterBooks(cluster);
    const costs = subtractCosts(await readCosts(), costsBefore);
    saveResult('soak.md', describeRun({ maximum, rate, answered, connections, costs }));
  } finally {
    load.abandon();
  }
}, SCENARIO_MS);

afterAll(async () => {
  saveResult('soak.log', cluster.log());
  await cluster.stop();
}, 120_000);

testClusterBooks(() => ({ cluster, operations: load.operations, books }));

test('the memory of a process that was not killed grows by at most 20%', () => {
  expect(memory).not.toEqual([]);
  expect(memory.filter(({ before, after }) => after > before * MAX_GROWTH)).toEqual([]);
});

/** Measures the responses per second while `run` runs. */
async function measureRate(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const before = countOperations(load.operations).answered;
  await run();
  return ((countOperations(load.operations).answered - before) / (performance.now() - started)) * 1000;
}

/** Kills processes in turn for `ms`. */
async function killFor(ms: number, members: Member[]): Promise<void> {
  const end = performance.now() + ms;
  for (let n = 0; performance.now() + killEveryMs < end; n++) {
    await sleep(killEveryMs);
    await members[n % members.length]?.killAndRestart(() => sleep(DOWN_MS));
  }
  await sleep(Math.max(0, end - performance.now()));
}

/** Reads the database cost of all calls so far. */
async function readCosts(): Promise<Costs> {
  const [row] = await cluster.sql<Costs[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      (select coalesce(sum(calls), 0) from usage_rollups)::float8 as calls,
      (select sum(pg_total_relation_size(c.oid)) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = 'r')::float8 as disk`;
  if (!row) throw new Error('The cost query returned no row');
  return row;
}

function subtractCosts(after: Costs, before: Costs): Costs {
  return { wal: after.wal - before.wal, calls: after.calls - before.calls, disk: after.disk - before.disk };
}

async function countConnections(): Promise<number> {
  const [row] = await cluster.sql<{ open: number }[]>`
    select count(*)::int as open from pg_stat_activity where application_name like 'tool-gateway%'`;
  return row?.open ?? Number.NaN;
}

/** Measures the lowest resident memory of each idle process, by pid. */
async function readIdleMemory(): Promise<Map<number, number>> {
  const least = new Map<number, number>();
  for (const end = performance.now() + IDLE_MS; performance.now() < end; await sleep(IDLE_INTERVAL_MS))
    for (const member of cluster.members) {
      const bytes = member.readResidentBytes();
      least.set(member.pid, Math.min(least.get(member.pid) ?? bytes, bytes));
    }
  return least;
}

function compareMemory(before: Map<number, number>, after: Map<number, number>): Memory[] {
  return cluster.members.flatMap(({ name, pid }) => {
    const [was, is] = [before.get(pid), after.get(pid)];
    return was !== undefined && is !== undefined ? [{ name, before: was, after: is }] : [];
  });
}

interface Measurements {
  /** Rates are in requests per second. */
  maximum: number;
  rate: number;
  answered: number;
  connections: number;
  costs: Costs;
}

function describeRun({ maximum, rate, answered, connections, costs }: Measurements): string {
  const { sent, cut, refused, wrong, ...counts } = countOperations(load.operations);
  const killed = cluster.members.map(
    ({ name, kills, longestDownMs }) =>
      `${name} ${kills} times (longest downtime ${(longestDownMs / 1000).toFixed(1)} s)`,
  );
  const inMib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  return [
    '# Soak',
    '',
    `${new Date().toISOString()}: ${options.SOAK_MINUTES} minutes on ${cpus().length} cores, ${cluster.members.length} processes, PostgreSQL and the clients.`,
    '',
    `- Requests per second: ${maximum.toFixed(1)} at most, ${rate.toFixed(1)} sent, ${answered.toFixed(1)} answered`,
    `- Requests: ${sent} sent, ${counts.answered} answered, ${wrong} wrong, ${cut} interrupted by a kill, ${refused} rejected and retried`,
    `- Per call: ${(costs.wal / costs.calls / 1024).toFixed(1)} KiB of WAL, ${(costs.disk / costs.calls).toFixed(0)} bytes of tables and indexes; ${connections} connections under load`,
    `- Killed: ${killed.join(', ')}`,
    ...memory.map(
      ({ name, before, after }) => `- Idle memory of ${name}: ${inMib(before)} before, ${inMib(after)} after`,
    ),
    '',
  ].join('\n');
}
