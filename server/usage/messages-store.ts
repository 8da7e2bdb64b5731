import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, integer, type RowOf, text } from '@/db/rows';
import { SEAL_MARK } from '../calls/contents/seal-message';

const IS_SEALED = sql`status = 'error' and starts_with(error_message, ${SEAL_MARK})`;
/** A sealed value is `v1.<key id>.…`. */
const KEY_ID = sql`split_part(error_message, '.', 2)`;

const countRow = defineRow({ key_id: text(), messages: integer() });

/** Counts error messages by the vault key that has sealed them. */
export async function countSealedMessages(db: Executor): Promise<RowOf<typeof countRow>[]> {
  return await countRow.read(
    db.execute(sql`
      select ${KEY_ID} as key_id, count(*)::int as messages from usage_records where ${IS_SEALED} group by 1`),
  );
}

const sealedRow = defineRow({ account_id: text(), id: text(), created_at: text(), sealed: text() });
export type SealedMessage = RowOf<typeof sealedRow>;

/** Lists error messages that another vault key has sealed, in the order of their index. */
export async function listMessagesSealedBefore(
  db: Executor,
  vaultKeyId: string,
  after: Pick<SealedMessage, 'account_id' | 'id'> | null,
  limit: number,
): Promise<SealedMessage[]> {
  return await sealedRow.read(
    db.execute(sql`
      select account_id, id, created_at::text as created_at, error_message as sealed from usage_records
      where ${IS_SEALED} and ${KEY_ID} <> ${vaultKeyId}
        ${after === null ? sql`` : sql`and (account_id, id) > (${after.account_id}, ${after.id})`}
      order by account_id, id limit ${limit}`),
  );
}

/** @returns false if the message was removed concurrently */
export async function replaceSealedMessage(
  db: Executor,
  { id, account_id: accountId, created_at: at, sealed }: SealedMessage,
  next: string,
): Promise<boolean> {
  const { count } = await db.execute(sql`
    update usage_records set error_message = ${next}
    where account_id = ${accountId} and id = ${id} and created_at = ${at}::timestamptz and error_message = ${sealed}`);
  return count > 0;
}
