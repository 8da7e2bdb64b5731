import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UNLIMITED_RATES } from '../support/unlimited-rates';
import { createAccount } from './fixtures/accounts';
import { type Books, waitUntilIdle } from './fixtures/books';
import { countOperations, Load } from './fixtures/load';
import type { Operation } from './fixtures/operations';
import { saveResult } from './fixtures/test-results';
import { waitUntil } from './fixtures/wait-until';
import { Cluster } from './scale/cluster';
import { readClusterBooks, testClusterBooks } from './scale/cluster-books-suite';
import { listGatewayServices } from './scale/compose';

const SCENARIO_MS = 600_000;

describe('one of three processes is killed under load', () => {
  const clients = { quick: 6, sync: 3, stream: 2, batch: 1, job: 3 };
  const requestsBetweenKills = 60;
  /** Number of responses while a process was down, by its name. */
  const answeredWithout = new Map<string, number>();
  let cluster: Cluster;
  let operations: Operation[];
  let books: Books;

  beforeAll(async () => {
    cluster = await Cluster.start({
      LEASE_SECONDS: '4',
      WAIT_SECONDS: '1',
      ...UNLIMITED_RATES,
      CONCURRENT_CALLS: '24',
    });
    const { keys } = await createAccount(cluster, 'killed', { keys: 6, creditUsd: 100 });
    const load = new Load(cluster, keys, { clients });
    ({ operations } = load);
    try {
      load.begin();
      for (const member of cluster.members) {
        await waitForAnswers(requestsBetweenKills);
        await member.killAndRestart(async () =>
          answeredWithout.set(member.name, await waitForAnswers(requestsBetweenKills)),
        );
      }
      await waitForAnswers(requestsBetweenKills);
      await load.end();
      await waitUntilIdle(cluster.sql);
    } finally {
      load.abandon();
    }
    books = await readClusterBooks(cluster);
  }, SCENARIO_MS);

  afterAll(async () => {
    saveResult('scale/killed.log', cluster.log());
    saveResult('scale/killed.json', JSON.stringify(countOperations(operations), null, 2));
    await cluster.stop();
  });

  for (const [name] of listGatewayServices())
    test(`the others serve requests while ${name} is down`, () => {
      expect(answeredWithout.get(name)).toBeGreaterThanOrEqual(requestsBetweenKills);
    });

  testClusterBooks(() => ({ cluster, operations, books }));

  /** Waits for `count` responses. @returns the number of responses */
  async function waitForAnswers(count: number): Promise<number> {
    const before = countOperations(operations).answered;
    let answered = 0;
    await waitUntil(`${count} requests got a response`, () => {
      answered = countOperations(operations).answered - before;
      return answered >= count;
    });
    return answered;
  }
});
