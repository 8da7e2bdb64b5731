import { randomUUID } from 'node:crypto';
import type { GatewayClient, Shape } from '../../client.js';
import { GatewayError } from '../../errors.js';
import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { EXIT, getExitCode } from '../exit-codes.js';
import { formatColumns, formatDollars } from '../output.js';
import { parseCostLimit } from '../parse-numbers.js';
import { readJson } from '../read-json.js';
import { usageError } from '../usage-error.js';

type Result = Shape<'ToolCallResult'>;

export const batch: Command = {
  name: 'batch',
  usage: '<file|->',
  about: 'Run up to ten calls concurrently',
  details: `The file holds {"calls": [{"tool", "skill", "input"}]}, or only the list. A call may also have max_cost_usd and quote_id. Results are in the order of the calls.
Exits with 0 if all calls succeed, otherwise with the code of the first that failed.`,
  words: [1, 1],
  flags: {
    billing: { value: 'ACCOUNT', about: 'the account to charge: personal, team, or the slug of a team' },
    'max-cost': { value: 'DOLLARS', about: 'refuse the batch if its calls can cost more together' },
    'no-wait': { about: 'do not wait for calls that became jobs; exit with 8' },
    'idempotency-key': {
      value: 'TEXT',
      about: 'your own key for this request: repeating it returns the first response',
    },
    'no-provision': { about: 'do not create a key if there is none' },
  },
  async run(session, args) {
    const [file = ''] = args.words;
    const maxCost = parseCostLimit(args);
    const given = await readJson(session, file === '-' ? '-' : `@${file}`, 'batch');
    const calls = Array.isArray(given) ? given : (given as { calls?: unknown } | null)?.calls;
    if (!Array.isArray(calls))
      throw usageError(
        `${file} contains no calls.`,
        'Use {"calls": [{"tool": …, "skill": …, "input": {}}]}.',
      );
    const client = await session.provisionedClient({ provision: !args.on('no-provision') });
    const billing = args.text('billing');
    const answer = unwrapData(
      await client.api.POST('/v1/tools/batch', {
        body: {
          calls,
          ...(billing !== undefined && { billing }),
          ...(maxCost !== undefined && { max_cost_usd: maxCost }),
        },
        headers: { 'Idempotency-Key': args.text('idempotency-key') ?? randomUUID() },
      }),
    );
    const results = args.on('no-wait')
      ? answer.results
      : await Promise.all(answer.results.map((result) => waitForResult(client, result)));
    await session.output.data({ ...answer, results }, () => formatColumns(results.map(row)));
    return getBatchExitCode(results);
  },
};

/** Waits for the result of a call that became a job; a failure becomes an error result. */
async function waitForResult(client: GatewayClient, result: Result): Promise<Result> {
  if (result.status !== 'pending' || result.job_id === undefined) return result;
  try {
    return await client.waitForJob(result.job_id);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { ...result, status: 'error', error: error.body.error, billed: false };
  }
}

function getBatchExitCode(results: readonly Result[]): number {
  const failed = results.find(({ status }) => status === 'error');
  if (failed) return getExitCode((failed.error ?? {}) as Parameters<typeof getExitCode>[0]);
  return results.some(({ status }) => status === 'pending') ? EXIT.pending : EXIT.ok;
}

function row({ status, meta, usage, output, error, job_id: jobId }: Result, index: number): string[] {
  const what =
    status === 'error'
      ? (error?.message ?? '')
      : status === 'pending'
        ? (jobId ?? '')
        : JSON.stringify(output);
  return [
    String(index + 1),
    meta ? `${meta.tool}.${meta.skill}` : '',
    status,
    usage ? formatDollars(usage.cost) : '',
    what,
  ];
}
