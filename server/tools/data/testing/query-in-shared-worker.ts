import type { TestFiles } from '@/test/support/test-files';
import { runInWorker } from '../../../platform/workers/cpu-pool';
import { acceptOrRefuse } from '../../sdk/accept-refusal';
import type * as worker from '../query-worker.mjs';
import type { Target } from '../write-table.mjs';

interface Options {
  /** The file of table `t1`; defaults to the sample sales. */
  readonly file?: string;
  readonly format?: Target['format'] | undefined;
}

/**
 * Runs SQL over a file like `data.query`, but in a worker that is reused: a process per statement
 * would dominate the test time.
 */
export async function queryInSharedWorker(
  files: TestFiles,
  sql: string,
  { file = 'asset_sample_sales', format }: Options = {},
) {
  const { path, filename } = await files.open(file, { maxBytes: 1024 * 1024 });
  const save = format && { format, path: await files.scratch(format) };
  const source = { path, filename, table: 't1', scratch: await files.scratch() };
  const payload = { sources: [source], sql, limit: 100, save };
  const { signal } = new AbortController();
  const module = 'server/tools/data/query-worker.mjs';
  return acceptOrRefuse(await runInWorker<typeof worker.runQuery>(module, 'runQuery', payload, { signal }));
}
