import { runInWorker } from '../../platform/workers/cpu-pool';
import type * as worker from '../../tools/data/query-worker.mjs';
import type { Target } from '../../tools/data/write-table.mjs';
import { acceptOrRefuse } from '../../tools/sdk/accept-refusal';
import type { TestFiles } from '../../tools/sdk/test-files';

interface Options {
  /** The table `t1`; the sales of the sample assets when left out. */
  readonly file?: string;
  readonly format?: Target['format'] | undefined;
}

/**
 * Runs SQL over a file as `data.query` does, but in a worker that then takes the next query: a
 * process for each of a hundred statements would take most of the time of a test.
 */
export async function queryInSharedWorker(
  files: TestFiles,
  sql: string,
  { file = 'asset_sample_sales', format }: Options = {},
) {
  const { path, filename } = await files.open(file, { maxBytes: 1024 * 1024 });
  const save = format && { format, path: await files.scratch(format) };
  const payload = { sources: [{ path, filename, table: 't1' }], sql, limit: 100, save };
  const { signal } = new AbortController();
  const module = 'server/tools/data/query-worker.mjs';
  return acceptOrRefuse(await runInWorker<typeof worker.runQuery>(module, 'runQuery', payload, { signal }));
}
