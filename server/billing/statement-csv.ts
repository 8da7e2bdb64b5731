import type { Actor } from '../auth/actor';
import type { Runtime } from '../runtime';
import { chooseAccount } from './choose-account';
import { type StatementRequest, walkStatement } from './get-statement';
import type { StatementLine } from './schema';

/** Lines read from the database at once. */
const PAGE = 1000;
const COLUMNS = ['at', 'id', 'kind', 'description', 'ref', 'amount_usd', 'balance_usd'] as const;

/**
 * A statement as CSV (RFC 4180), newest first.
 * @returns the name of the file and its text, page by page
 * @throws GatewayError FORBIDDEN for an account of others
 */
export async function writeStatementCsv(
  runtime: Runtime,
  actor: Actor,
  request: StatementRequest,
): Promise<{ filename: string; text: AsyncIterable<string> }> {
  const account = await chooseAccount(runtime, actor, request.billing, 'member');
  const days = [request.from, request.to].filter((day) => day !== undefined).join('-to-');
  const filename = ['statement', account.slug, days].filter(Boolean).join('-');
  return { filename: `${filename}.csv`, text: lines(runtime, account.id, request) };
}

async function* lines(runtime: Runtime, accountId: string, request: StatementRequest) {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const page of walkStatement(runtime, accountId, request, PAGE))
    yield page.map((line) => `${COLUMNS.map((column) => cell(line, column)).join(',')}\r\n`).join('');
}

function cell(line: StatementLine, column: (typeof COLUMNS)[number]): string {
  const value = line[column];
  if (typeof value === 'number') return decimal(value);
  // A spreadsheet would run what begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Never with an exponent: 0.000001, not 1e-6. */
function decimal(usd: number): string {
  return usd.toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1');
}
