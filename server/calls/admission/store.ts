import { arrayLiteral } from '@/db/array-literal';
import type { Sql, SqlTag } from '@/db/client';
import { jsonRows, type RecordedCallRow } from '@/db/json-rows';
import { bigint, defineRow, type RowOf, text } from '@/db/rows';
import type { CredentialSource } from '../../catalog/credentials/call-credential';
import { CALL_WINDOWS, type WindowName } from '../../core/limits/limits';
import {
  QUEUE_WAIT_SECONDS,
  type Quotas,
  readWindows,
  type WindowState,
  windowColumns,
} from '../../core/limits/windows';
import type { Microusd } from '../../kit/money';
import { QUEUE_FENCE, saveWebhookUrl } from '../jobs/queue-store';

/** A request to admit one call. */
export interface AdmitRequest extends RequestedCall {
  /** `personal`, or the slug of the charged team. */
  billing: string;
  /** Whether its admission must survive a crash of the database, see `admitCalls`. */
  durable: boolean;
}

/** A call, as a statement that admits it needs it. */
export interface RequestedCall {
  id: string;
  keyId: string;
  accountId: string;
  tool: string;
  skill: string;
  /** The maximum cost of the call. */
  hold: Microusd;
  /** The version of the key's rules that allowed the call. */
  rulesVersion: number;
  /** As stored, see `toStoredRequestId`; a batch shares one. */
  requestId?: string | undefined;
  clientAddress?: string | null | undefined;
}

/** Why a call was not admitted; `admission_refusal` has the rules in their order. */
export type AdmissionRefusal =
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

export interface AdmitResult {
  outcome: 'opened' | AdmissionRefusal;
  /** Available balance of the charged account after the hold of this call. */
  available: Microusd;
  windows: WindowState;
}

const admitRow = defineRow({
  id: text(),
  /** `opened`, a refusal, or `window 2` for the second entry of CALL_WINDOWS. */
  outcome: text(),
  available: bigint(),
  ...windowColumns,
});

/** The admitting process and the limits that apply. */
export interface AdmitOptions {
  fence: string;
  leaseSeconds: number;
  quotas: Quotas;
}

/**
 * Admits a group of calls in one statement and one commit; results are in the order of the
 * requests. Unless one must be durable, the commit does not wait for the disk: a crash of the
 * database loses those of its last moments, and their calls, which end without a charge
 * (docs/decisions/0057). The durable commit that ends a call also writes its admission.
 */
export async function admitCalls(
  sql: Sql,
  requests: AdmitRequest[],
  { fence, leaseSeconds, quotas }: AdmitOptions,
): Promise<AdmitResult[]> {
  const durability = requests.some(({ durable }) => durable)
    ? sql``
    : sql`cross join (select set_config('synchronous_commit', 'off', true)) as durability`;
  const rows = await admitRow.read(sql`select id, outcome, available, window_used::text, window_resets::text
    from admit_calls(${jsonRows(requests.map(toAdmitRow))}::text::json, ${fence}, ${leaseSeconds}::int,
      ${quotaArguments(sql, quotas)}) ${durability}`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return requests.map(({ id }) => {
    const row = byId.get(id);
    if (!row) throw new Error(`admit_calls returned no row for ${id}`);
    return readAdmitted(row);
  });
}

function toAdmitRow(request: AdmitRequest) {
  return { billing: request.billing, ...toRequestedRow(request) };
}

export function toRequestedRow(request: RequestedCall) {
  return {
    id: request.id,
    key_id: request.keyId,
    account_id: request.accountId,
    tool: request.tool,
    skill: request.skill,
    hold_microusd: String(request.hold),
    rules_version: request.rulesVersion,
    request_id: request.requestId,
    client_address: request.clientAddress,
  } satisfies Partial<RecordedCallRow>;
}

/** The last arguments of each SQL function that admits calls. */
export function quotaArguments(sql: SqlTag, { perWindow, concurrent }: Quotas) {
  return sql`${arrayLiteral(CALL_WINDOWS.map(({ seconds }) => seconds))}::int[],
    ${arrayLiteral(perWindow)}::int[], ${concurrent}::int`;
}

function readOutcome(outcome: string): AdmitResult['outcome'] {
  const [, place] = /^window (\d+)$/.exec(outcome) ?? [];
  const name = place === undefined ? outcome : CALL_WINDOWS[Number(place) - 1]?.name;
  return name as AdmitResult['outcome'];
}

function readAdmitted(row: RowOf<typeof admitRow>): AdmitResult {
  return { outcome: readOutcome(row.outcome), available: row.available, windows: readWindows(row) };
}

export interface QueuedRequest extends AdmitRequest {
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

/** Admits a call and enqueues it with its credential and prices, in one commit. */
export async function admitQueuedCall(
  sql: Sql,
  request: QueuedRequest,
  quotas: Quotas,
): Promise<AdmitResult> {
  const { webhookUrl, jobId } = request;
  if (webhookUrl === null) return await enqueueCall(sql, request, quotas);
  return await sql.begin(async (tx) => {
    const admitted = await enqueueCall(tx, request, quotas);
    if (admitted.outcome === 'opened') await saveWebhookUrl(tx, jobId, webhookUrl);
    return admitted;
  });
}

async function enqueueCall(sql: SqlTag, request: QueuedRequest, quotas: Quotas): Promise<AdmitResult> {
  const { slot = null, source = null, sealedKey = null } = request.credential ?? {};
  const prices = request.prices === null ? null : JSON.stringify(request.prices);
  const job = { job_id: request.jobId, rerunnable: request.rerunnable, input: JSON.stringify(request.input) };
  const [row] = await admitRow.read(sql`
    with admitted as materialized (
      select id, outcome, available, window_used::text, window_resets::text
      from admit_calls(${jsonRows([{ ...toAdmitRow(request), ...job }])}::text::json, ${QUEUE_FENCE},
        ${QUEUE_WAIT_SECONDS}::int, ${quotaArguments(sql, quotas)})
    ), stored as (
      insert into queued_call_states (call_id, slot, source, sealed_key, prices)
      select ${request.id}, c.slot, c.source, c.sealed_key, c.prices
      from admitted o, (values (${slot}::text, ${source}::text, ${sealedKey}::text, ${prices}::text::json))
        c(slot, source, sealed_key, prices)
      where o.outcome = 'opened' and (c.slot is not null or c.prices is not null)
      on conflict (call_id) do update set slot = excluded.slot, source = excluded.source,
        sealed_key = excluded.sealed_key, prices = excluded.prices
    )
    select * from admitted`);
  if (!row) throw new Error('admit_calls returned no row');
  return readAdmitted(row);
}
