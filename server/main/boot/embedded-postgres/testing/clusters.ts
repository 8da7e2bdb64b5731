import postgres from 'postgres';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../testing/temporary-folder';
import { type RunningPostgres, startPostgres } from '../start-postgres';

/** Done after the test, last first. */
export const cleanups: (() => Promise<unknown>)[] = [];

/** A folder of the test's own. */
export async function dataFolder(): Promise<string> {
  const folder = await temporaryFolder();
  cleanups.push(() => removeFolder(folder));
  return folder;
}

let shared: string;

/** Clears up after each test of a file, and makes the folder that they share. */
export function setUpClusters(): void {
  beforeAll(async () => {
    shared = await temporaryFolder();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  afterAll(() => removeFolder(shared));
}

/**
 * Making a cluster takes a second or two: tests that need none of their own, and stop what they
 * start, share one.
 */
export const sharedFolder = () => shared;

/** Starts PostgreSQL; it is stopped after the test. */
export async function start(
  dataDir: string,
  more: { reachableRoot?: string } = {},
): Promise<RunningPostgres> {
  const running = await startPostgres({ dataDir, durable: false, log: () => undefined, ...more });
  cleanups.push(() => running.stop());
  return running;
}

/** One connection, closed afterwards. */
export async function query<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
