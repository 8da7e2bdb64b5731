import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { csvLine } from '../../kit/csv';
import { chooseAccount } from './choose-account';
import { type StatementRequest, walkStatement } from './get-statement';
import type { StatementLine } from './schema';

/** Rows per database query. */
const PAGE = 200;
const COLUMNS = ['at', 'id', 'kind', 'description', 'ref', 'amount_usd', 'balance_usd'] as const;

/**
 * Writes a statement as CSV (RFC 4180), newest first.
 * @returns the filename, and the text in pages
 * @throws GatewayError FORBIDDEN for another user's account
 */
export async function writeStatementCsv(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  request: StatementRequest,
): Promise<{ filename: string; text: AsyncIterable<string> }> {
  const account = await chooseAccount(runtime, actor, request.billing, 'member');
  const days = [request.from, request.to].filter((day) => day !== undefined).join('-to-');
  const filename = ['statement', account.slug, days].filter(Boolean).join('-');
  return { filename: `${filename}.csv`, text: lines(runtime, account.id, request) };
}

async function* lines(runtime: Pick<Runtime, 'db'>, accountId: string, request: StatementRequest) {
  yield csvLine(COLUMNS);
  for await (const page of walkStatement(runtime, accountId, request, PAGE))
    yield page.map((line: StatementLine) => csvLine(COLUMNS.map((column) => line[column]))).join('');
}
