import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { OperatorContext } from '../../core/trpc/context';
import { decodeCursor, toPage } from '../../core/trpc/cursor';
import { listKeys } from '../../identity/keys/get-key';
import { getAccountLimits } from '../../identity/plans/get-account-limits';
import { usdFromMicrousd } from '../../kit/money';
import { isPromoLine, readAccountStatement } from '../../money/billing/get-statement';
import type { Statement } from '../../money/billing/schema';
import { listOperatorPayments } from '../../money/payments/list-refundable';
import { ANY_TIME, listCalls } from '../../usage/calls-store';
import { toTime } from '../../usage/describe-record';
import { listBlockedKeys } from '../../usage/get-refusals';
import { listAccountRefusals } from './account-refusals';
import { type AccountDbRow, countRunning, findAccount, listMembers } from './accounts-store';
import { describeAccount } from './list-accounts';
import { type OperatorAuditActor, toActor, toIsoOrNull } from './operator';
import type { AccountDetail, CallList, OperatorPayments } from './schema';

const STATEMENT_PAGE = 25;
const CALLS_PAGE = 25;

/**
 * Reads one account, and records the access in the audit log.
 * @throws GatewayError NOT_FOUND
 */
export async function getAccount(
  context: Pick<OperatorContext, 'operator' | 'requestId' | 'runtime'>,
  accountId: string,
): Promise<AccountDetail> {
  const { runtime, operator } = context;
  const row = await findAndAudit(runtime, toActor(context), accountId, 'all');
  const { db } = runtime;
  const [keys, members, running, statement, payments, calls, refusals, limits, blocked] = await Promise.all([
    listKeys(runtime, { accountId }),
    listMembers(db, accountId),
    countRunning(db, accountId),
    readAccountStatement(runtime, row, { limit: STATEMENT_PAGE }),
    listOperatorPayments(runtime, accountId, undefined),
    readCalls(runtime, accountId, undefined),
    listAccountRefusals(runtime, accountId),
    getAccountLimits(runtime, accountId),
    listBlockedKeys(db, accountId),
  ]);
  return {
    ...describeAccount(row),
    frozen_at: toIsoOrNull(row.frozen_at),
    frozen_reason: row.frozen_reason,
    second_factor: row.second_factor,
    claimed_by: row.claimed_by,
    closed_at: toIsoOrNull(row.closed_at),
    month_spent_usd: usdFromMicrousd(row.month_spent),
    monthly_limit_usd: row.month_limit === null ? null : usdFromMicrousd(row.month_limit),
    auto_reload: row.auto_reload,
    running_calls: running,
    keys: keys.keys,
    blocked,
    members: [...members],
    statement: operator.readOnly ? maskPromoCodes(statement) : statement,
    payments,
    calls,
    refusals,
    limits,
  };
}

/** The next page of its statement. @throws GatewayError NOT_FOUND, INVALID_INPUT */
export async function getAccountStatement(
  context: Pick<OperatorContext, 'operator' | 'requestId' | 'runtime'>,
  { account_id, cursor }: { account_id: string; cursor?: string | undefined },
): Promise<Statement> {
  const { runtime, operator } = context;
  const row = await findAndAudit(runtime, toActor(context), account_id, 'statement');
  const statement = await readAccountStatement(runtime, row, { limit: STATEMENT_PAGE, cursor });
  return operator.readOnly ? maskPromoCodes(statement) : statement;
}

/** Support may not read codes. */
function maskPromoCodes(statement: Statement): Statement {
  const lines = statement.lines.map((line) =>
    isPromoLine(line) ? { ...line, description: 'Promo code' } : line,
  );
  return { ...statement, lines };
}

/** The next page of its payments. @throws GatewayError NOT_FOUND */
export async function getAccountPayments(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  by: OperatorAuditActor,
  { account_id, cursor }: { account_id: string; cursor?: string | undefined },
): Promise<OperatorPayments> {
  await findAndAudit(runtime, by, account_id, 'payments');
  return await listOperatorPayments(runtime, account_id, cursor);
}

/** The next page of its calls. @throws GatewayError NOT_FOUND, INVALID_INPUT */
export async function getAccountCalls(
  runtime: Pick<Runtime, 'db'>,
  by: OperatorAuditActor,
  { account_id, cursor }: { account_id: string; cursor?: string | undefined },
): Promise<CallList> {
  await findAndAudit(runtime, by, account_id, 'calls');
  return await readCalls(runtime, account_id, cursor);
}

/** Records the access in the audit log before anything is shown. */
async function findAndAudit(
  { db }: Pick<Runtime, 'db'>,
  by: OperatorAuditActor,
  accountId: string,
  part: string,
): Promise<AccountDbRow> {
  const row = await findAccount(db, accountId);
  if (!row) throw new GatewayError('NOT_FOUND', { message: `There is no account ${accountId}.` });
  await writeAudit(db, { actor: by, action: 'account.view', accountId, details: { part } });
  return row;
}

async function readCalls(
  { db }: Pick<Runtime, 'db'>,
  accountId: string,
  cursor: string | undefined,
): Promise<CallList> {
  const before = decodeCursor(cursor, 'call');
  const rows = await listCalls(db, { accountIds: [accountId] }, ANY_TIME, before, CALLS_PAGE + 1);
  const { page, next_cursor } = toPage(rows, CALLS_PAGE);
  const calls = page.map(({ raw, markup, finished_ms, ...row }) => ({
    id: row.id,
    tool: row.tool,
    skill: row.skill,
    status: row.status,
    error_code: row.error_code,
    cost_usd: usdFromMicrousd(raw + markup),
    latency_ms: row.latency_ms,
    key_id: row.key_id,
    finished_at: toTime(finished_ms),
  }));
  return { calls, next_cursor };
}
