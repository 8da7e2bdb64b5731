// Several web processes behind one port: what must be exact holds across them.
import { readFileSync } from 'node:fs';
import { Agent, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '../../server/platform/process/process-identity';
import { createAccount, getBalance } from './fixtures/accounts';
import { embeddedDatabase, openDatabase, type Sql } from './fixtures/embedded-database';
import { startGateway, type TestGateway } from './fixtures/gateway';
import { diagnostics, send } from './fixtures/gateway-client';
import { cancelJob, startJob } from './fixtures/jobs';
import { testProcessPair } from './fixtures/process-pair-suite';
import { saveResult } from './fixtures/test-results';
import { findAnsweringPids, listWebPids, readMetric } from './fixtures/web-processes';
import { WITHOUT_RECHECKS } from './fixtures/without-rechecks';

const PROCESSES = 3;
const CALL = '/v1/tools/call';
/** The primary loads neither Next nor the runtime. */
const MAX_PRIMARY_MIB = 170;

// Without keep-alive, each request is a new connection and goes to the next process.
setGlobalDispatcher(new Agent({ pipelining: 0 }));

describe('three web processes behind one port', () => {
  let gateway: TestGateway;
  let sql: Sql;

  beforeAll(async () => {
    gateway = await startGateway({
      WEB_CONCURRENCY: String(PROCESSES),
      WAIT_SECONDS: '0.5',
      ACCESS_LOG: 'on',
      ...WITHOUT_RECHECKS,
    });
    sql = openDatabase(embeddedDatabase(String(gateway.env.DATA_DIR)).url);
  });

  afterAll(async () => {
    saveResult('cluster/cluster.log', gateway.log());
    await sql.end({ timeout: 0 });
    await gateway.stop();
  });

  testProcessPair(() => ({ first: gateway, second: gateway, sql }));

  test('the last cents are spent exactly once', async () => {
    const account = await createAccount(gateway, 'cents', { keys: 6, creditUsd: 0.1 });
    const statuses = await Promise.all(
      account.keys.flatMap((key) =>
        Array.from({ length: 5 }, async () => {
          const json = diagnostics('spend', { amount_usd: 0.01 });
          return (await send(`${gateway.baseUrl}${CALL}`, key, 'POST', { json })).status;
        }),
      ),
    );
    const succeeded = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => status === 402).length;
    expect([succeeded, refused, await getBalance(gateway.baseUrl, account)]).toEqual([10, 20, 0]);
  });

  test('every web process has answered', () => {
    const pids = listWebPids(gateway.pid);
    expect(pids).toHaveLength(PROCESSES);
    expect(findAnsweringPids(gateway, CALL)).toEqual(new Set(pids));
  });

  test('the metrics of any process are those of all', async () => {
    const key = (await createAccount(gateway, 'metrics', { keys: 1, creditUsd: 1 })).keys[0] ?? '';
    const before = await readMetric(gateway, 'gateway_calls_total');
    for (let call = 0; call < 3 * PROCESSES; call++)
      await send(`${gateway.baseUrl}${CALL}`, key, 'POST', { json: diagnostics('echo', { message: call }) });
    const sums = [];
    for (let scrape = 0; scrape < PROCESSES; scrape++)
      sums.push((await readMetric(gateway, 'gateway_calls_total')) - before);
    expect(sums).toEqual(Array.from({ length: PROCESSES }, () => 3 * PROCESSES));
    const jobs = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        startJob(gateway.baseUrl, key, diagnostics('sleep', { seconds: 300 })),
      ),
    );
    expect(await readMetric(gateway, 'gateway_running_calls')).toBe(PROCESSES);
    expect(await readMetric(gateway, 'gateway_web_processes')).toBe(PROCESSES);
    expect(await readMetric(gateway, 'gateway_database_up')).toBe(1);
    for (const job of jobs) await cancelJob(gateway.baseUrl, key, job);
  });

  test('the greeting and the sign-in link are printed once', () => {
    const count = (text: string) => gateway.log().split(text).length - 1;
    expect([count('Tool Gateway is ready'), count('this link works once')]).toEqual([1, 1]);
  });

  test.runIf(process.platform === 'linux')(
    'no secret is in the environment that a process began with',
    () => {
      for (const pid of listWebPids(gateway.pid)) {
        const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
          .split('\0')
          .filter((entry) => !entry.endsWith('='))
          .map((entry) => entry.split('=')[0]);
        for (const name of ['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET', 'DATABASE_URL'])
          expect(names).not.toContain(name);
      }
    },
  );

  test.runIf(process.platform === 'linux')(`the primary uses at most ${MAX_PRIMARY_MIB} MiB`, () => {
    const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
    const mib = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
    saveResult('cluster/primary.json', JSON.stringify({ mib }));
    expect(mib).toBeGreaterThan(0);
    expect(mib).toBeLessThanOrEqual(MAX_PRIMARY_MIB);
  });

  test('SIGTERM ends every process', async () => {
    const pids = listWebPids(gateway.pid);
    const postgres = embeddedDatabase(String(gateway.env.DATA_DIR)).pid;
    await sql.end({ timeout: 0 });
    await gateway.stop();
    expect([gateway.pid, postgres, ...pids].filter(isAlive)).toEqual([]);
  });
});
