import { createHash, randomBytes } from 'node:crypto';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { KeyActor, SessionActor } from '../../core/trpc/actor';
import type { KeyContext, RequestContext } from '../../core/trpc/context';
import { keyActor } from '../../identity/sessions/resolve-actor';
import { newId } from '../../kit/ids';
import { findPlaygroundHash, insertPlaygroundKey } from './store';

/** The key name in usage and jobs. */
const NAME = 'Playground';
/** Shown where other keys show their masked secret. */
const MASK = 'playground';

/** A request of a signed-in user. */
export interface SessionContext extends RequestContext {
  readonly actor: SessionActor;
}

/**
 * Returns the context with the playground key of the user as its actor, so the same limits, holds,
 * concurrency slots and history apply as for any key.
 * @throws GatewayError AUTH_FAILED if the key is revoked, as it is once the account is deleted
 */
export async function withPlaygroundKey(context: SessionContext): Promise<KeyContext> {
  const actor = await playgroundActor(context.runtime, context.actor.accountId);
  context.reply.actor = actor;
  return { ...context, actor };
}

async function playgroundActor(runtime: Pick<Runtime, 'db' | 'flush'>, accountId: string): Promise<KeyActor> {
  const keyHash = (await playgroundHash(runtime, accountId)).toString('hex');
  const key = await runtime.flush.resolveKey(keyHash);
  if (!key || key.revoked) throw new GatewayError('AUTH_FAILED', { message: 'This account is closed.' });
  return keyActor(key, keyHash);
}

/**
 * Created with the first call. No secret exists: the hash is of random bytes that are discarded.
 */
async function playgroundHash({ db }: Pick<Runtime, 'db'>, accountId: string): Promise<Buffer> {
  const known = await findPlaygroundHash(db, accountId);
  if (known) return known;
  const keyHash = createHash('sha256').update(randomBytes(32)).digest();
  await insertPlaygroundKey(db, { id: newId('key'), accountId, name: NAME, keyHash, mask: MASK });
  // Read again: with two concurrent first calls, only one insert succeeds.
  const made = await findPlaygroundHash(db, accountId);
  if (!made) throw new Error('The playground key was not stored');
  return made;
}
