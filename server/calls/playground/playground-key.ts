import { createHash, randomBytes } from 'node:crypto';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { KeyActor, SessionActor } from '../../core/trpc/actor';
import type { KeyContext, RequestContext } from '../../core/trpc/context';
import { keyActor } from '../../identity/sessions/resolve-actor';
import { newId } from '../../kit/ids';
import { findPlaygroundHash, insertPlaygroundKey } from './store';

/** As usage and jobs name it. */
const NAME = 'Playground';
/** Where other keys show the ends of their secret. */
const MASK = 'playground';

/** A request of a signed-in person. */
export interface SessionContext extends RequestContext {
  readonly actor: SessionActor;
}

/**
 * The same request as one with the key of the person's playground: from here on everything is as
 * for any other key, its limits, holds, slots and history.
 * @throws GatewayError AUTH_FAILED where the key is revoked, as it is once the account is deleted
 */
export async function withPlaygroundKey(context: SessionContext): Promise<KeyContext> {
  const actor = await playgroundActor(context.runtime, context.actor.accountId);
  return { ...context, actor };
}

async function playgroundActor(runtime: Runtime, accountId: string): Promise<KeyActor> {
  const keyHash = (await playgroundHash(runtime, accountId)).toString('hex');
  const key = await runtime.flush.resolveKey(keyHash);
  if (!key || key.revoked) throw new GatewayError('AUTH_FAILED', { message: 'This account is closed.' });
  return keyActor(key, keyHash);
}

/**
 * Made with the first call. Nobody has a secret of it: it is the hash of bytes that are forgotten
 * here.
 */
async function playgroundHash({ db }: Runtime, accountId: string): Promise<Buffer> {
  const known = await findPlaygroundHash(db, accountId);
  if (known) return known;
  const keyHash = createHash('sha256').update(randomBytes(32)).digest();
  await insertPlaygroundKey(db, { id: newId('key'), accountId, name: NAME, keyHash, mask: MASK });
  // Read again: of two first calls at once, one has made it for both.
  const made = await findPlaygroundHash(db, accountId);
  if (!made) throw new Error('The key of the playground was not kept');
  return made;
}
