import type { Executor } from '@/db/client';
import { accountFrozen } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Actor } from '../../core/trpc/actor';
import { keyNotFound } from './key-errors';
import { findKeyAccount, type KeyAccount } from './team-store';

/**
 * Finds the account of a key that the actor may see: their own, or a team of the person. Only the
 * owner and admins of a team, and operators, may change its keys.
 * @throws GatewayError NOT_FOUND, also for a key of someone else; FORBIDDEN for a member of the
 *   team who would change its key, or a person who is frozen
 */
export async function chooseKeyAccount(
  db: Executor,
  actor: Actor,
  keyId: string,
  need: 'view' | 'change',
): Promise<KeyAccount> {
  const account = await findKeyAccount(db, actor.accountId, keyId);
  // A restricted key sees its own account only.
  const isOther = account !== null && account.id !== actor.accountId;
  if (!account || (isOther && actor.kind === 'key' && actor.restricted)) throw keyNotFound();
  if (need === 'change' && account.team?.role === 'member' && actor.kind !== 'operator')
    throw new GatewayError('FORBIDDEN', {
      message: `Only the owner and admins of ${account.team.name} may change its keys.`,
      hint: 'Ask an owner or admin of the team.',
    });
  // They may still revoke their own keys.
  if (need === 'change' && isOther && actor.accountFrozen)
    throw accountFrozen({ outcome: 'It may not change keys of teams.' });
  return account;
}
