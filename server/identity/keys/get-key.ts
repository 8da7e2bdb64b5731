import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Actor, KeyActor } from '../../core/trpc/actor';
import { describeKey } from './describe-key';
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

/** Lists the keys of the caller's account, newest first, including revoked keys. */
export async function listKeys(
  runtime: Pick<Runtime, 'db'>,
  actor: Pick<Actor, 'accountId'>,
): Promise<{ keys: ApiKey[] }> {
  const rows = await listKeyRows(runtime.db, actor.accountId);
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

export function keyNotFound(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'This account has no such key.',
    hint: 'List the keys with GET /v1/keys.',
  });
}
