import { Agent, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '../../server/platform/process/process-identity';
import { UNLIMITED_RATES } from '../support/unlimited-rates';
import { createAccount } from './fixtures/accounts';
import { type Books, waitUntilIdle } from './fixtures/books';
import { embeddedDatabase, openDatabase, type Sql } from './fixtures/embedded-database';
import { startGateway, type TestGateway } from './fixtures/gateway';
import { diagnostics, send } from './fixtures/gateway-client';
import { KeepAliveTraffic } from './fixtures/keep-alive-traffic';
import { countOperations, Load } from './fixtures/load';
import type { Operation } from './fixtures/operations';
import { saveResult } from './fixtures/test-results';
import { waitUntil } from './fixtures/wait-until';
import {
  countEvents,
  findAnsweringPids,
  listWebPids,
  readMetric,
  readPrimaryPid,
  waitUntilGone,
} from './fixtures/web-processes';
import { readClusterBooks, testClusterBooks } from './scale/cluster-books-suite';

/** Each of them starts six times, under traffic. */
const PROCESSES = 2;
/** Each process starts after the other, under traffic, while other tests use the machine. */
const RESTART_MS = 400_000;
const SCENARIO_MS = 600_000;
const CALL = '/v1/tools/call';

// Without keep-alive, each request is a new connection and goes to the next process.
setGlobalDispatcher(new Agent({ pipelining: 0 }));

describe('web processes under traffic, with the supervisor of npm start', () => {
  const clients = { quick: 4, sync: 2, stream: 1, batch: 1, job: 2 };
  const requestsBetween = 60;
  let gateway: TestGateway;
  let sql: Sql;
  let keys: string[];

  beforeAll(async () => {
    const settings = {
      WEB_CONCURRENCY: String(PROCESSES),
      LEASE_SECONDS: '4',
      WAIT_SECONDS: '1',
      CONCURRENT_CALLS: '24',
      ACCESS_LOG: 'on',
      ...UNLIMITED_RATES,
    };
    gateway = await startGateway(settings, 'scripts/start.mjs');
    sql = openDatabase(embeddedDatabase(String(gateway.env.DATA_DIR)).url);
    keys = (await createAccount(gateway, 'traffic', { keys: 6, creditUsd: 100 })).keys;
  });

  afterAll(async () => {
    saveResult('cluster/traffic.log', gateway.log());
    await sql.end({ timeout: 0 });
    await gateway.stop();
  });

  describe('after kill -9 of one web process', () => {
    let operations: Operation[];
    let books: Books;
    let killed: number;
    let answeredBefore = 0;

    beforeAll(async () => {
      const target = { baseUrl: gateway.baseUrl, whenUp: async () => undefined };
      const load = new Load(target, keys, { clients });
      ({ operations } = load);
      try {
        load.begin();
        await waitForAnswers(operations);
        killed = listWebPids(readPrimaryPid(gateway))[0] ?? 0;
        process.kill(killed, 'SIGKILL');
        answeredBefore = await waitForAnswers(operations);
        await waitUntil('all web processes serve', async () => (await countServing()) === PROCESSES);
        await waitForAnswers(operations);
        await load.end();
        await waitUntilIdle(sql);
      } finally {
        load.abandon();
      }
      books = await readClusterBooks({ sql });
    }, SCENARIO_MS);

    test('the others serve requests, and it is replaced', async () => {
      expect(answeredBefore).toBeGreaterThanOrEqual(requestsBetween);
      const pids = listWebPids(readPrimaryPid(gateway));
      expect(pids).toHaveLength(PROCESSES);
      expect(pids).not.toContain(killed);
      expect(countEvents(gateway, 'web_process.crashed')).toBe(1);
      expect(await readMetric(gateway, 'gateway_web_process_replacements_total{reason="crash"}')).toBe(1);
    });

    testClusterBooks(() => ({ cluster: { ...gateway, sql }, operations, books }));
  });

  describe('after SIGHUP', () => {
    let before: number[];
    let after: number[];
    let traffic: KeepAliveTraffic;
    let stream: Awaited<ReturnType<typeof send>>;

    beforeAll(async () => {
      before = listWebPids(readPrimaryPid(gateway));
      traffic = new KeepAliveTraffic(gateway.baseUrl, keys[0] ?? '');
      try {
        await waitUntil('requests are answered', () => traffic.answered > requestsBetween);
        const streamed = send(`${gateway.baseUrl}${CALL}`, keys[1] ?? '', 'POST', {
          json: diagnostics('sleep', { seconds: 3 }),
          headers: { accept: 'text/event-stream' },
        });
        process.kill(gateway.pid, 'SIGHUP');
        await waitUntil(
          'the restart has finished',
          () => countEvents(gateway, 'web_processes.restart_finished') > 0,
          { limitMs: RESTART_MS },
        );
        stream = await streamed;
        const { answered } = traffic;
        await waitUntil('requests are answered', () => traffic.answered > answered + requestsBetween);
      } finally {
        await traffic.end();
      }
      await waitUntilGone(before);
      after = listWebPids(readPrimaryPid(gateway));
    }, SCENARIO_MS);

    test('every web process is another one', () => {
      expect([before.length, after.length]).toEqual([PROCESSES, PROCESSES]);
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    });

    test('not one request has failed', () => {
      expect(traffic.failures).toEqual([]);
    });

    test('an open stream got its end', () => {
      expect(stream.events.at(-1)?.event).toBe('result');
    });

    test('the new processes answer', () => {
      const answering = findAnsweringPids(gateway, CALL);
      for (const pid of after) expect(answering).toContain(pid);
    });
  });

  test('SIGTERM to one web process replaces it', async () => {
    const before = listWebPids(readPrimaryPid(gateway));
    const [first = 0, ...others] = before;
    process.kill(first, 'SIGTERM');
    await waitUntilGone([first]);
    const after = listWebPids(readPrimaryPid(gateway));
    expect(after).toHaveLength(PROCESSES);
    expect(after).toEqual(expect.arrayContaining(others));
    expect(await countServing()).toBe(PROCESSES);
  });

  test('if all web processes are killed, the primary answers 503 until others serve', async () => {
    const primary = readPrimaryPid(gateway);
    const old = listWebPids(primary);
    for (const pid of old) process.kill(pid, 'SIGKILL');
    const codes = new Set<string | undefined>();
    await waitUntil('all web processes serve', async () => {
      const { status, body } = await send(`${gateway.baseUrl}${CALL}`, keys[0] ?? '', 'POST', {
        json: diagnostics('echo', { message: 1 }),
      });
      codes.add(status === 503 ? body.error?.code : undefined);
      return (await countServing()) === PROCESSES;
    });
    expect(codes).toContain('UNAVAILABLE');
    expect(readPrimaryPid(gateway)).toBe(primary);
    expect(listWebPids(primary).filter((pid) => old.includes(pid))).toEqual([]);
  });

  test('if the primary is killed, its web processes end and others serve at the same URL', async () => {
    const primary = readPrimaryPid(gateway);
    const old = listWebPids(primary);
    process.kill(primary, 'SIGKILL');
    await waitUntilGone(old);
    await waitUntil('the gateway is ready again', isReady);
    expect(readPrimaryPid(gateway)).not.toBe(primary);
    expect(listWebPids(readPrimaryPid(gateway))).toHaveLength(PROCESSES);
  });

  test('stopping the supervisor ends every process', async () => {
    const primary = readPrimaryPid(gateway);
    const pids = [gateway.pid, primary, ...listWebPids(primary)];
    await sql.end({ timeout: 0 });
    await gateway.stop();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  /** Waits for more responses. @returns their number */
  async function waitForAnswers(operations: Operation[]): Promise<number> {
    const before = countOperations(operations).answered;
    let answered = 0;
    await waitUntil(`${requestsBetween} requests got a response`, () => {
      answered = countOperations(operations).answered - before;
      return answered >= requestsBetween;
    });
    return answered;
  }

  const countServing = async () => await readMetric(gateway, 'gateway_web_processes').catch(() => 0);

  async function isReady(): Promise<boolean> {
    return await fetch(`${gateway.baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
});
