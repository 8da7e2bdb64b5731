import postgres from 'postgres';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { type RunningPostgres, startPostgres } from '../start-postgres';

/** Run after the test, last first. */
export const cleanups: (() => Promise<unknown>)[] = [];

/** Creates a folder for this test. */
export async function dataFolder(): Promise<string> {
  const folder = await temporaryFolder();
  cleanups.push(() => removeFolder(folder));
  return folder;
}

let shared: string;

/** Cleans up after each test of a file, and creates the folder that they share. */
export function setUpClusters(): void {
  beforeAll(async () => {
    shared = await temporaryFolder();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  afterAll(() => removeFolder(shared));
}

/** For tests that need no cluster of their own: creating one takes a second or two. */
export const sharedFolder = () => shared;

/** Starts PostgreSQL and stops it after the test. */
export async function start(
  dataDir: string,
  more: { reachableRoot?: string; firstWaitMs?: number; log?: (line: string) => void } = {},
): Promise<RunningPostgres> {
  const running = await startPostgres({ dataDir, durable: false, log: () => undefined, ...more });
  cleanups.push(() => running.stop());
  return running;
}

/** Runs work on one connection and closes it. */
export async function query<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
