import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Actor, KeyActor } from '../../core/trpc/actor';
import { chooseAccount } from '../../money/billing/choose-account';
import { chooseKeyAccount } from './choose-key-account';
import { describeKey } from './describe-key';
import { keyNotFound } from './key-errors';
import type { ApiKey } from './schema';
import { findKey, findKeyById, listKeys as listKeyRows } from './store';

/**
 * Returns one key of the caller's account.
 * @throws GatewayError NOT_FOUND, also for a key of another account
 */
export async function getKey(runtime: Pick<Runtime, 'db'>, actor: Actor, id: string): Promise<ApiKey> {
  const row = await findKey(runtime.db, actor.accountId, id);
  if (!row) throw keyNotFound();
  return describeKey(row);
}

/**
 * Returns a key of the caller's account, or of a team they are in.
 * @throws GatewayError NOT_FOUND, also for a key of someone else
 */
export async function getVisibleKey(runtime: Pick<Runtime, 'db'>, actor: Actor, id: string): Promise<ApiKey> {
  const account = await chooseKeyAccount(runtime.db, actor, id, 'view');
  const row = await findKey(runtime.db, account.id, id);
  if (!row) throw keyNotFound();
  return describeKey(row);
}

/** Returns the key of a request, with the number of its calls that run now. */
export async function getOwnKey(
  { db }: Pick<Runtime, 'db'>,
  { accountId, keyId }: Pick<KeyActor, 'accountId' | 'keyId'>,
): Promise<{ key: ApiKey; running: number }> {
  const row = await findKey(db, accountId, keyId);
  // A claim has moved the key since the request arrived: the next request finds it.
  if (!row) throw keyNotFound();
  return { key: describeKey(row), running: row.running };
}

/**
 * Lists the keys of the caller's account, or of a team they are in, newest first, including revoked
 * keys.
 * @throws GatewayError FORBIDDEN if they are not in the team; KEY_RESTRICTED
 */
export async function listVisibleKeys(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  billing: string | undefined,
): Promise<{ keys: ApiKey[] }> {
  const account = await chooseAccount(runtime, actor, billing, 'member');
  // A restricted key sees its own account only.
  if (actor.kind === 'key' && actor.restricted && account.id !== actor.accountId)
    throw new GatewayError('KEY_RESTRICTED');
  return await listKeys(runtime, { accountId: account.id });
}

/** Lists the keys of an account, newest first, including revoked keys. */
export async function listKeys(
  runtime: Pick<Runtime, 'db'>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<{ keys: ApiKey[] }> {
  const rows = await listKeyRows(runtime.db, accountId);
  return { keys: rows.map(describeKey) };
}

/**
 * Returns the account id of any key. Only for the operator: it does not check who owns the key.
 * @throws GatewayError NOT_FOUND
 */
export async function getKeyAccount(runtime: Pick<Runtime, 'db'>, id: string): Promise<string> {
  const row = await findKeyById(runtime.db, id);
  if (!row) throw new GatewayError('NOT_FOUND', { message: `There is no key ${id}.` });
  return row.accountId;
}
