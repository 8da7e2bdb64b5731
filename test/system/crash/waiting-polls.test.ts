// Waiting polls do not slow down other requests and return when their job ends.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '@/server/calls/jobs/schema';
import { createKey } from '../fixtures/accounts';
import { embeddedDatabase, openDatabase, type Sql } from '../fixtures/embedded-database';
import { startGateway, type TestGateway } from '../fixtures/gateway';
import { type Answer, diagnostics, send } from '../fixtures/gateway-client';
import { findSecrets } from '../fixtures/gateway-secrets';
import { cancelJob, getJob, startJob } from '../fixtures/jobs';
import { saveResult } from '../fixtures/test-results';
import { waitUntil } from '../fixtures/wait-until';
import { WITHOUT_RECHECKS } from '../fixtures/without-rechecks';

const POLLS = 200;
const REQUESTS = 150;
const MAX_TIMES_DEARER = 3;
/** The longest possible: the requests in between take less, on a busy machine too. */
const WAIT_SECONDS = 30;
/** Longer than the test: the job ends by being cancelled. */
const JOB_SECONDS = 300;
const METRICS_TOKEN = 'a-token-for-the-metrics-of-this-test';

let gateway: TestGateway;
let sql: Sql;
let key: string;
const cpuSeconds = { alone: 0, withPolls: 0 };
const connections = { before: 0, withPolls: 0 };
let answers: Answer<Job>[];

beforeAll(async () => {
  // Without rechecks and timeouts, only a notification can end a poll.
  gateway = await startGateway({ ...WITHOUT_RECHECKS, METRICS_TOKEN });
  sql = openDatabase(embeddedDatabase(String(gateway.env.DATA_DIR)).url);
  const { baseUrl } = gateway;
  key = await createKey(gateway, 'poller', 0);
  const job = await startJob(baseUrl, key, diagnostics('sleep', { seconds: JOB_SECONDS }));
  const poll = (seconds: number) => Array.from({ length: POLLS }, () => getJob(baseUrl, key, job, seconds));
  // Warm up with as many concurrent polls, so that the pool opens no further connections later.
  await Promise.all(poll(0));
  await measureCpu();
  cpuSeconds.alone = await measureCpu();
  connections.before = await countConnections();
  const waiting = poll(WAIT_SECONDS);
  await waitUntil('all polls wait', async () => (await readMetric('gateway_waiting_requests')) === POLLS);
  connections.withPolls = await countConnections();
  cpuSeconds.withPolls = await measureCpu();
  await cancelJob(baseUrl, key, job);
  answers = await Promise.all(waiting);
});

afterAll(async () => {
  saveResult('crash/waiting-polls.log', gateway.log());
  await sql.end({ timeout: 1 });
  await gateway.stop();
});

test('200 waiting polls increase the CPU time of GET /v1/tools less than threefold @E6', () => {
  expect(cpuSeconds.withPolls).toBeLessThan(MAX_TIMES_DEARER * cpuSeconds.alone);
});

test('waiting polls hold no database connection @E6', () => {
  expect(connections.withPolls).toBeLessThanOrEqual(connections.before);
});

test('the end of a job ends all 200 polls that wait for it @E6', () => {
  const ended = answers.filter(({ status, body }) => status === 200 && body.status === 'cancelled');
  expect(ended).toHaveLength(POLLS);
});

test('no secret is in the log, the database or a file', async () => {
  expect(await findSecrets(gateway, [key, METRICS_TOKEN])).toEqual([]);
});

/** CPU seconds that the gateway uses for many sequential requests. */
async function measureCpu(): Promise<number> {
  const before = await readMetric('process_cpu_seconds_total');
  for (let n = 0; n < REQUESTS; n++) await send(`${gateway.baseUrl}/v1/tools`, '', 'GET');
  return (await readMetric('process_cpu_seconds_total')) - before;
}

async function readMetric(name: string): Promise<number> {
  const response = await fetch(`${gateway.baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const line = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(await response.text());
  return Number(line?.[1]);
}

/** Counts the connections of the gateway's pool, without those of the queue. */
async function countConnections(): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select count(*)::int as open from pg_stat_activity
    where datname = current_database() and application_name = 'tool-gateway'`;
  return row?.open ?? Number.NaN;
}
