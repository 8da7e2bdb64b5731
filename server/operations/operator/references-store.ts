import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, text } from '@/db/rows';
import { toCallId } from '../../core/http/call-request-id';
import { type IdKind, readIdTime } from '../../kit/ids';

const DAY_MS = 86_400_000;
/** As people write it on the page of a receipt: `R-000123`. */
const RECEIPT_NUMBER = /^R-0*(\d{1,9})$/i;
const INVOICE_NUMBER = /^(TEST-)?\d{4}-\d{6,}$/i;

const accountRow = defineRow({ account_id: text() });

/**
 * Finds the accounts of a call, request, job, file, order, payment, receipt or invoice that a
 * person names: what was charged, and the account of the key.
 * @returns none if the text is no such id or number
 */
export async function findReferredAccounts(db: Executor, reference: string): Promise<string[]> {
  const accounts = selectAccounts(reference);
  if (accounts === null) return [];
  const rows = await accountRow.read(
    db.execute(sql`select distinct account_id from (${accounts}) found where account_id is not null`),
  );
  return rows.map(({ account_id: id }) => id);
}

function selectAccounts(reference: string): SQL | null {
  const [, receipt] = RECEIPT_NUMBER.exec(reference) ?? [];
  if (receipt !== undefined)
    return sql`select account_id from payments where receipt_number = ${receipt}::int`;
  if (INVOICE_NUMBER.test(reference))
    return sql`select account_id from invoices where number = ${reference.toUpperCase()}`;
  switch (/^([a-z]+)_/.exec(reference)?.[1]) {
    case 'call':
      return selectCallAccounts(reference);
    case 'req':
      return selectRequestAccounts(reference);
    case 'job':
      return sql`select account_id from jobs where id = ${reference}
        union all select k.account_id from jobs j join api_keys k on k.id = j.key_id where j.id = ${reference}`;
    case 'asset':
      return sql`select account_id from assets where id = ${reference}`;
    case 'invoice':
      return sql`select account_id from invoices where id = ${reference}`;
    case 'order':
      return sql`select account_id from orders where id = ${reference}`;
    default:
      return /^[a-z]{2,10}_\w{8,}$/i.test(reference)
        ? sql`select account_id from payments where id = ${reference}`
        : null;
  }
}

/** The charged account and that of the key, of a call that runs or has ended. */
function selectCallAccounts(callId: string): SQL {
  return sql`
    select unnest(array[c.account_id, k.account_id]) as account_id
    from calls c join api_keys k on k.id = c.key_id where c.id = ${callId}
    union all
    select unnest(array[u.account_id, k.account_id])
    from usage_records u left join api_keys k on k.id = u.key_id
    where u.id = ${callId} and ${isNear(sql`u.created_at`, 'call', callId)}`;
}

/** Also of a request that was refused. Its calls are found by the id that follows from it. */
function selectRequestAccounts(requestId: string): SQL {
  return sql`${selectCallAccounts(toCallId(requestId) ?? '')}
    union all
    select account_id from refusals where request_id = ${requestId} and ${isNear(sql`at`, 'request', requestId)}`;
}

/** Narrows the scan: the clocks of processes differ by less than a day. */
function isNear(time: SQL, kind: IdKind, id: string): SQL {
  const at = readIdTime(kind, id);
  if (at === null) return sql`false`;
  const bound = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  return sql`${time} >= ${bound(at - DAY_MS)} and ${time} < ${bound(at + DAY_MS)}`;
}
