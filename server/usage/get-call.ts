import { openMessage } from '../calls/contents/seal-message';
import { ERRORS, type ErrorCode } from '../core/errors/catalogue';
import { GatewayError } from '../core/errors/gateway-error';
import { type HintTransport, wordHint } from '../core/errors/hint';
import type { Runtime } from '../core/runtime';
import { type Actor, getVisibleKeyId, type SessionActor } from '../core/trpc/actor';
import { usdFromMicrousd } from '../kit/money';
import { listViewableAccounts } from '../money/billing/list-viewable';
import { type CallDetailRow, findCall } from './calls-store';
import { describeRecord, toTime } from './describe-record';
import { readKeyLabels } from './key-labels';
import { describeCalls } from './list-calls';
import type { CallDetails, UsageCallRecord, UsageCallWithDetails } from './schema';

/**
 * Returns a call that was charged to any account of the user.
 * @throws GatewayError NOT_FOUND, also for a call of someone else
 */
export async function getCall(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: SessionActor,
  id: string,
): Promise<UsageCallWithDetails> {
  const accounts = await listViewableAccounts(runtime, actor);
  const row = await findCall(runtime.db, { accountIds: accounts.map((each) => each.id), keyId: null }, id);
  const [call] = row ? await describeCalls(runtime, actor, [row], accounts) : [];
  if (!row || !call) throw callNotFound('None of your accounts was charged for such a call.');
  return { ...call, ...describeDetails(row, 'rest') };
}

/**
 * Returns a call that was charged to the account, or made with the key. A restricted key gets its
 * own calls only.
 * @throws GatewayError NOT_FOUND, also for a call that has not ended
 */
export async function getCallRecord(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: Actor,
  id: string,
  hintWords: HintTransport = 'rest',
): Promise<UsageCallRecord> {
  const isRestricted = getVisibleKeyId(actor) !== null;
  const keyId = actor.kind === 'key' ? actor.keyId : null;
  const row = await findCall(runtime.db, { accountIds: isRestricted ? [] : [actor.accountId], keyId }, id);
  if (!row) throw callNotFound('There is no record of such a call.');
  const key = (await readKeyLabels(runtime, actor, [row.key_id]))(row.key_id);
  const mayTrace = key.is_yours || row.key_id === keyId;
  return {
    ...describeRecord(row, key, mayTrace ? openMessage(runtime, row.id, row.error_message) : null),
    finished_at: toTime(row.finished_ms),
    ...describeDetails(row, hintWords),
  };
}

function describeDetails(row: CallDetailRow, hintWords: HintTransport): CallDetails {
  const isJob = row.job_id !== null;
  const startedMs = isJob ? row.first_started_ms : row.created_ms;
  return {
    ...describeOutcome(row, hintWords),
    max_cost_usd: row.hold === null ? null : usdFromMicrousd(row.hold),
    attempts: isJob ? row.attempts : 1,
    started_at: startedMs === null ? null : toTime(startedMs),
    ledger_entry:
      row.entry_id === null || row.entry_amount === null || row.entry_ms === null
        ? null
        : {
            id: String(row.entry_id),
            amount_usd: usdFromMicrousd(row.entry_amount),
            created_at: toTime(row.entry_ms),
          },
  };
}

/** What a single call with this outcome was answered. Only jobs have CANCELLED. */
function describeOutcome(
  { status, error_code: code }: CallDetailRow,
  hintWords: HintTransport,
): Pick<CallDetails, 'http_status' | 'resolution_hint'> {
  if (status === 'success') return { http_status: 200, resolution_hint: null };
  const answered = code === 'CANCELLED' ? 'HANDLER_ERROR' : code;
  if (answered === null || !Object.hasOwn(ERRORS, answered))
    return { http_status: null, resolution_hint: null };
  const { status: httpStatus, hint } = ERRORS[answered as ErrorCode];
  return { http_status: httpStatus, resolution_hint: wordHint(hint, hintWords) };
}

function callNotFound(message: string): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message,
    hint: {
      rest: 'A call is recorded once it has ended. GET /v1/usage/history lists the calls, GET /v1/usage/refusals those that were refused.',
      mcp: 'A call is recorded once it has ended. get_usage with view history lists the latest calls.',
    },
  });
}
