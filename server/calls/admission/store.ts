import { arrayLiteral } from '@/db/array-literal';
import type { Sql, SqlTag } from '@/db/client';
import { bigint, defineRow, type RowOf, text } from '@/db/rows';
import type { CredentialSource } from '../../catalog/credentials/call-credential';
import {
  CALL_WINDOWS,
  type Quotas,
  readWindows,
  type WindowName,
  type WindowState,
  windowColumns,
} from '../../core/limits/windows';
import type { Microusd } from '../../kit/money';
import { QUEUE_WAIT_SECONDS, saveWebhookUrl } from '../jobs/queue-store';
import {
  type CloseRequest,
  type CloseResult,
  type CloseRow,
  closeArguments,
  closeCalls,
  readClosed,
} from '../settlement/store';

/** A request to open one call. */
export interface OpenRequest {
  id: string;
  keyId: string;
  accountId: string;
  /** `personal`, or the slug of the charged team. */
  billing: string;
  tool: string;
  skill: string;
  /** The maximum cost of the call. */
  hold: Microusd;
  /** The version of the key's rules that allowed the call. */
  rulesVersion: number;
  /** Whether its admission must survive a crash of the database, see `openCalls`. */
  durable: boolean;
  /** As stored, see `toStoredRequestId`; a batch shares one. */
  requestId?: string | undefined;
  clientAddress?: string | null | undefined;
}

/** Why a call was not admitted; `admission_refusal` has the rules in their order. */
export type OpenRefusal =
  | 'revoked'
  | 'expired'
  | 'changed'
  | 'moved'
  | 'frozen'
  | 'forbidden'
  | WindowName
  | 'concurrency'
  | 'month'
  | 'spend'
  | 'member'
  | 'debt'
  | 'disputed'
  | 'key'
  | 'account';

export interface OpenResult {
  outcome: 'opened' | OpenRefusal;
  /** Available balance of the charged account after the hold of this call. */
  available: Microusd;
  windows: WindowState;
}

const openRow = defineRow({
  /** `opened`, a refusal, or `window 2` for the second entry of CALL_WINDOWS. */
  outcome: text(),
  available: bigint(),
  ...windowColumns,
});
export type OpenRow = RowOf<typeof openRow>;
type OpenedColumns = Omit<OpenRow, 'outcome'>;

/** The opening process and the limits that apply. */
export interface OpenOptions {
  fence: string;
  leaseSeconds: number;
  quotas: Quotas;
}

/**
 * Opens a group of calls in one statement and one commit; results are in the order of the requests.
 * Unless one must be durable, the commit does not wait for the disk: a crash of the database loses
 * those of its last moments, and their calls, which end without a charge (docs/decisions/0057). The
 * durable commit that closes a call also writes its admission.
 */
export async function openCalls(
  sql: Sql,
  requests: OpenRequest[],
  options: OpenOptions,
): Promise<OpenResult[]> {
  const durability = requests.some(({ durable }) => durable)
    ? sql``
    : sql`cross join (select set_config('synchronous_commit', 'off', true)) as durability`;
  const rows = await openRow.read(sql`select outcome, available, window_used::text, window_resets::text
    from admit_calls(${openArguments(sql, requests)}, ${options.fence}, ${boundArguments(sql, options)})
    ${durability}`);
  return rows.map((row) => readOpened(row, row.outcome));
}

function openArguments(sql: Sql, requests: OpenRequest[]) {
  const keys = [...new Set(requests.map((r) => r.keyId))].sort();
  const accounts = [...new Set(requests.map((r) => r.accountId))].sort();
  const keyAt = new Map(keys.map((id, index) => [id, index + 1]));
  const accountAt = new Map(accounts.map((id, index) => [id, index + 1]));
  const paid = accounts.map(() => false);
  for (const request of requests)
    if (request.hold > 0n) paid[(accountAt.get(request.accountId) as number) - 1] = true;
  return sql`
    ${arrayLiteral(keys)}::text[], ${arrayLiteral(accounts)}::text[], ${arrayLiteral(paid)}::boolean[],
    ${arrayLiteral(requests.map((r) => r.id))}::text[],
    ${arrayLiteral(requests.map((r) => keyAt.get(r.keyId) as number))}::int[],
    ${arrayLiteral(requests.map((r) => accountAt.get(r.accountId) as number))}::int[],
    ${arrayLiteral(requests.map((r) => r.billing))}::text[],
    ${arrayLiteral(requests.map((r) => r.tool))}::text[],
    ${arrayLiteral(requests.map((r) => r.skill))}::text[],
    ${arrayLiteral(requests.map((r) => r.hold))}::bigint[],
    ${arrayLiteral(requests.map((r) => r.rulesVersion))}::int[],
    ${arrayLiteral(requests.map((r) => r.requestId ?? null))}::text[],
    ${arrayLiteral(requests.map((r) => r.clientAddress ?? null))}::text[]`;
}

function boundArguments(sql: Sql, { leaseSeconds, quotas }: OpenOptions) {
  return sql`${leaseSeconds}::int, ${quotaArguments(sql, quotas)}`;
}

/** The last arguments of each SQL function that admits calls. */
export function quotaArguments(sql: SqlTag, { perWindow, concurrent }: Quotas) {
  return sql`${arrayLiteral(CALL_WINDOWS.map(({ seconds }) => seconds))}::int[],
    ${arrayLiteral(perWindow)}::int[], ${concurrent}::int`;
}

function readOutcome(outcome: string): OpenResult['outcome'] {
  const [, place] = /^window (\d+)$/.exec(outcome) ?? [];
  const name = place === undefined ? outcome : CALL_WINDOWS[Number(place) - 1]?.name;
  return name as OpenResult['outcome'];
}

export function readOpened(row: OpenedColumns, outcome: OpenRow['outcome']): OpenResult {
  return {
    outcome: readOutcome(outcome),
    available: row.available,
    windows: readWindows(row),
  };
}

export interface QueuedRequest extends OpenRequest {
  jobId: string;
  input: Record<string, unknown>;
  rerunnable: boolean;
  /** Null if its skill uses no provider. */
  credential: QueuedCredential | null;
  /** The prices of its quote; null for the current ones. */
  prices: QueuedPrices | null;
  /** Receives the end of the job. */
  webhookUrl: string | null;
}

/**
 * The credential that a queued call was opened with. The caller's own key is sealed for this call.
 */
export interface QueuedCredential {
  slot: string;
  source: CredentialSource;
  sealedKey: string | null;
}

/** The prices of the quote that a queued call was opened with. Amounts are decimal numbers. */
export interface QueuedPrices {
  markup: string;
  raw: string;
  byokRatePpm: string;
  /** The unit prices, by path. */
  rates: Record<string, string>;
}

/** Opens a call and enqueues it with its credential and prices, in one commit. */
export async function openQueuedCall(sql: Sql, request: QueuedRequest, quotas: Quotas): Promise<OpenResult> {
  const { webhookUrl, jobId } = request;
  if (webhookUrl === null) return await enqueueCall(sql, request, quotas);
  return await sql.begin(async (tx) => {
    const opened = await enqueueCall(tx, request, quotas);
    if (opened.outcome === 'opened') await saveWebhookUrl(tx, jobId, webhookUrl);
    return opened;
  });
}

async function enqueueCall(sql: SqlTag, request: QueuedRequest, quotas: Quotas): Promise<OpenResult> {
  const { slot = null, source = null, sealedKey = null } = request.credential ?? {};
  const prices = request.prices === null ? null : JSON.stringify(request.prices);
  const [row] = await openRow.read(sql`
    with opened as materialized (
      select outcome, available, window_used::text, window_resets::text from admit_queued_call(${request.keyId}, ${request.accountId}, ${request.id}, ${request.jobId},
        ${request.billing}, ${request.tool}, ${request.skill}, ${String(request.hold)}::bigint, ${request.rulesVersion}::int,
        ${request.requestId ?? null}, ${request.clientAddress ?? null}, ${JSON.stringify(request.input)}::text::json, ${request.rerunnable}, ${QUEUE_WAIT_SECONDS}::int,
        ${quotaArguments(sql, quotas)})
    ), kept as (
      insert into queued_call_states (call_id, slot, source, sealed_key, prices)
      select ${request.id}, c.slot, c.source, c.sealed_key, c.prices
      from opened o, (values (${slot}::text, ${source}::text, ${sealedKey}::text, ${prices}::text::json))
        c(slot, source, sealed_key, prices)
      where o.outcome = 'opened' and (c.slot is not null or c.prices is not null)
      on conflict (call_id) do update set slot = excluded.slot, source = excluded.source,
        sealed_key = excluded.sealed_key, prices = excluded.prices
    )
    select * from opened`);
  if (!row) throw new Error('admit_queued_call returned no row');
  return readOpened(row, row.outcome);
}

/** The rows of closed calls, then those of opened ones. */
const exchangeRow = defineRow({
  closed_id: text().nullable(),
  state: text(),
  available: bigint().nullable(),
  ...windowColumns,
});

/** Closes one group of calls, then opens another, in one statement and one commit. */
export async function exchangeCalls(
  sql: Sql,
  ended: CloseRequest[],
  begun: OpenRequest[],
  options: OpenOptions,
): Promise<{ closed: CloseResult[]; opened: OpenResult[] }> {
  if (ended.length === 0) return { closed: [], opened: await openCalls(sql, begun, options) };
  if (begun.length === 0) return { closed: await closeCalls(sql, ended, options.fence), opened: [] };
  const rows = await exchangeRow.read(sql`
    select closed_id, state, available, window_used::text, window_resets::text from close_and_admit_calls(${closeArguments(sql, ended)}, ${openArguments(sql, begun)}, ${options.fence},
      ${boundArguments(sql, options)})`);
  const closed: CloseRow[] = [];
  const opened: OpenResult[] = [];
  for (const row of rows)
    if (row.closed_id === null) opened.push(readOpened(row as OpenedColumns, row.state));
    else closed.push({ id: row.closed_id, state: row.state as CloseRow['state'], available: row.available });
  return { closed: readClosed(ended, closed), opened };
}
