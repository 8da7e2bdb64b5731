import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { describeKey } from './describe-key';
import { keyNotFound } from './get-key';
import type { ApiKey } from './schema';
import { updateKeyName } from './store';

/**
 * Renames a key.
 * @throws GatewayError NOT_FOUND, also for a key of another account
 */
export async function renameKey(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  id: string,
  name: string,
): Promise<ApiKey> {
  const row = await updateKeyName(runtime.db, actor.accountId, id, name);
  if (!row) throw keyNotFound();
  return describeKey(row);
}
