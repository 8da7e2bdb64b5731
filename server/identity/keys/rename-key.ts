import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { describeKey } from './describe-key';
import { keyNotFound } from './get-key';
import type { ApiKey } from './schema';
import { updateKeyName } from './store';

/**
 * Gives a key another name.
 * @throws GatewayError NOT_FOUND, also for a key of someone else
 */
export async function renameKey(runtime: Runtime, actor: Actor, id: string, name: string): Promise<ApiKey> {
  const row = await updateKeyName(runtime.db, actor.accountId, id, name);
  if (!row) throw keyNotFound();
  return describeKey(row);
}
