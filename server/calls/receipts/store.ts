import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, float, integer, json, type RowOf, text } from '@/db/rows';
import { receiptKeys } from '@/db/schema/receipts';
import { readIdTime } from '../../kit/ids';
import type { CallResult } from '../result/schema';
import type { ReceiptKey } from './schema';

/** A key that signs, sealed. */
export interface SealedKey {
  kid: string;
  sealed: string;
}

/** Lists the keys that are not retired, newest first. */
export async function listActiveKeys(db: Executor): Promise<SealedKey[]> {
  const rows = await db
    .select({ kid: receiptKeys.kid, sealed: receiptKeys.sealed })
    .from(receiptKeys)
    .where(isNull(receiptKeys.retiredAt))
    .orderBy(desc(receiptKeys.createdAt), desc(receiptKeys.kid));
  return rows.flatMap(({ kid, sealed }) => (sealed === null ? [] : [{ kid, sealed }]));
}

/** Lets one transaction at a time decide whether a new key is needed. */
export async function lockKeys(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('receipt_keys', 0))`);
}

export async function insertReceiptKey(
  tx: Executor,
  row: { kid: string; publicJwk: ReceiptKey; sealed: string; vaultKeyId: string },
): Promise<void> {
  await tx.insert(receiptKeys).values(row);
}

/** Retires every key and deletes its private part; the public part stays. */
export async function retireKeys(tx: Executor): Promise<number> {
  const rows = await tx
    .update(receiptKeys)
    .set({ retiredAt: sql`now()`, sealed: null, vaultKeyId: null })
    .where(isNull(receiptKeys.retiredAt))
    .returning({ kid: receiptKeys.kid });
  return rows.length;
}

const publicRow = defineRow({ public_jwk: json<ReceiptKey>() });

/** Lists the public keys, newest first, retired ones included. */
export async function listPublicKeys(db: Executor): Promise<ReceiptKey[]> {
  const rows = await publicRow.read(
    db.execute(sql`select public_jwk from receipt_keys order by created_at desc, kid desc`),
  );
  return rows.map((row) => row.public_jwk);
}

/** Lists the keys that another vault key has sealed. */
export async function listKeysSealedBefore(db: Executor, vaultKeyId: string): Promise<SealedKey[]> {
  const rows = await db
    .select({ kid: receiptKeys.kid, sealed: receiptKeys.sealed })
    .from(receiptKeys)
    .where(ne(receiptKeys.vaultKeyId, vaultKeyId));
  return rows.flatMap(({ kid, sealed }) => (sealed === null ? [] : [{ kid, sealed }]));
}

const sealedCountRow = defineRow({ keyId: text(), signing: integer() });

/** Counts the private keys by the vault key that has sealed them. */
export async function countSealedKeys(db: Executor): Promise<{ keyId: string; signing: number }[]> {
  return await sealedCountRow.read(
    db.execute(sql`
      select vault_key_id as "keyId", count(*)::int as signing from receipt_keys where sealed is not null
      group by vault_key_id order by vault_key_id`),
  );
}

/** Stores a resealed key; false if it was retired or resealed concurrently. */
export async function replaceSealedKey(
  db: Executor,
  { kid, sealed }: SealedKey,
  now: { sealed: string; vaultKeyId: string },
): Promise<boolean> {
  const rows = await db
    .update(receiptKeys)
    .set(now)
    .where(and(eq(receiptKeys.kid, kid), eq(receiptKeys.sealed, sealed)))
    .returning({ kid: receiptKeys.kid });
  return rows.length > 0;
}

const DAY_MS = 86_400_000;
/** A call is recorded under the time of its admission, which a busy key or queue delays. */
const LATEST_ADMISSION_MS = 8 * DAY_MS;
/** Ids use the clock of a process, records that of the database. */
const CLOCKS_APART_MS = DAY_MS;

const chargeColumns = {
  id: text(),
  account_id: text(),
  key_id: text(),
  tool: text(),
  skill: text(),
  status: text<'success' | 'error'>(),
  raw: bigint(),
  markup: bigint(),
  byok: boolean(),
  created_ms: float(),
  finished_ms: float(),
};
const chargeRow = defineRow(chargeColumns);
/** What a call was charged, as recorded with its ledger entry. */
export type Charge = RowOf<typeof chargeRow>;

/** The calls that an actor has receipts of: charged to these accounts, or made with the key. */
export interface ReceiptScope {
  accountIds: readonly string[];
  keyId: string | null;
}

const columns = sql`u.id, u.account_id, u.key_id, u.tool, u.skill, u.status, u.raw_cost_microusd as raw,
  u.markup_microusd as markup, u.byok, (extract(epoch from u.created_at) * 1000)::float8 as created_ms,
  (extract(epoch from u.finished_at) * 1000)::float8 as finished_ms`;

/** The bound on created_at skips the other months, which a statement without it would lock. */
function isCharged({ accountIds, keyId }: ReceiptScope, callIds: readonly string[]) {
  const times = callIds.map((id) => readIdTime('call', id) ?? 0);
  const from = new Date(Math.max(0, Math.min(...times) - CLOCKS_APART_MS));
  const to = new Date(Math.max(...times) + LATEST_ADMISSION_MS);
  return sql`u.id = any(${arrayLiteral([...callIds])}::text[])
    and u.created_at >= ${from.toISOString()}::timestamptz and u.created_at < ${to.toISOString()}::timestamptz
    and (u.account_id = any(${arrayLiteral([...accountIds])}::text[]) or u.key_id = ${keyId}::text)`;
}

/** Finds the records of ended calls, in no particular order. */
export async function findCharges(
  db: Executor,
  scope: ReceiptScope,
  callIds: readonly string[],
): Promise<Charge[]> {
  return await chargeRow.read(
    db.execute(sql`select ${columns} from usage_records u where ${isCharged(scope, callIds)}`),
  );
}

const storedRow = defineRow({ ...chargeColumns, result: json<CallResult>().nullable() });

/** Finds the record of an ended call, with its result if it was a job that is still stored. */
export async function findStoredCharge(
  db: Executor,
  scope: ReceiptScope,
  callId: string,
): Promise<{ charge: Charge; result: CallResult | null } | null> {
  const [row] = await storedRow.read(
    db.execute(sql`
      select ${columns}, j.result from usage_records u left join jobs j on j.call_id = u.id and j.key_id = u.key_id
      where ${isCharged(scope, [callId])} limit 1`),
  );
  if (!row) return null;
  const { result, ...charge } = row;
  return { charge, result };
}
