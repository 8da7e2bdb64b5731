import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { type Actor, getVisibleKeyId } from '../../core/trpc/actor';
import { readIdTime } from '../../kit/ids';
import { listViewableAccounts } from '../../money/billing/list-viewable';
import type { Receipt, ReceiptKey } from './schema';
import { signReceipt } from './sign-receipt';
import { findStoredCharge, listPublicKeys, type ReceiptScope } from './store';

/**
 * Signs the receipt of a past call. A restricted key gets those of its own calls only.
 * @throws GatewayError NOT_FOUND for a call that failed, still runs, or is of another account
 */
export async function getReceipt(
  runtime: Pick<Runtime, 'db' | 'receiptSigner' | 'settings'>,
  actor: Actor,
  callId: string,
): Promise<Receipt> {
  if (readIdTime('call', callId) === null) throw receiptNotFound();
  const found = await findStoredCharge(runtime.db, await getReceiptScope(runtime, actor), callId);
  if (found?.charge.status !== 'success') throw receiptNotFound();
  return await signReceipt(runtime, found.charge, found.result?.output);
}

/** The calls that an actor may have receipts of. */
async function getReceiptScope(runtime: Pick<Runtime, 'db'>, actor: Actor): Promise<ReceiptScope> {
  if (actor.kind === 'key') return getKeyScope(actor);
  const accounts = await listViewableAccounts(runtime, actor);
  return { accountIds: accounts.map(({ id }) => id), keyId: null };
}

/** The receipts that a key gets: of its own calls, and unless it is restricted its account's. */
export function getKeyScope(actor: Actor & { kind: 'key' }): ReceiptScope {
  const isRestricted = getVisibleKeyId(actor) !== null;
  return { accountIds: isRestricted ? [] : [actor.accountId], keyId: actor.keyId };
}

function receiptNotFound(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'There is no receipt of such a call.',
    hint: {
      rest: 'Only a call that succeeded has a receipt. GET /v1/usage/history lists the calls with their ids.',
      mcp: 'Only a call that succeeded has a receipt. get_usage lists the latest calls with their ids.',
    },
  });
}

/** Lists the public keys of all receipts. Creates the first key, so that the list is not empty. */
export async function listReceiptKeys({
  db,
  receiptSigner,
}: Pick<Runtime, 'db' | 'receiptSigner'>): Promise<{ keys: ReceiptKey[] }> {
  await receiptSigner.current();
  return { keys: await listPublicKeys(db) };
}
