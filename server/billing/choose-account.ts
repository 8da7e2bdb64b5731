import type { AccountType, Actor } from '../auth/actor';
import { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { findAccountFor, findViewable } from './store';

/** An account that an actor acts on beside their own, and as what. */
export interface ChosenAccount {
  id: string;
  type: AccountType;
  slug: string | null;
  name: string;
  role: 'owner' | 'admin' | 'member';
  frozen: boolean;
}

/**
 * The account that `billing` names: the actor's own, or a team of theirs.
 * @param need `member` to look at it and spend from it, `admin` (or owner) to buy for it and change how it pays
 * @throws GatewayError FORBIDDEN where the person is no member, or `team` does not say which, or their role does not do
 */
export async function chooseAccount(
  runtime: Runtime,
  actor: Actor,
  billing: string | undefined,
  need: 'member' | 'admin',
): Promise<ChosenAccount> {
  const found = await findAccountFor(runtime.db, actor.accountId, billing ?? 'personal');
  const [account] = found;
  if (!account || found.length > 1)
    throw new GatewayError('FORBIDDEN', {
      message: account
        ? 'You are in more than one team: name it by its slug.'
        : 'You are no member of such a billing account.',
      details: { fields: [{ path: 'billing', message: 'Use personal, team, or the slug of your team.' }] },
    });
  if (need === 'admin' && account.role === 'member')
    throw new GatewayError('FORBIDDEN', {
      message: `Only owners and admins of ${account.name} may do that.`,
      hint: 'Ask an owner or admin of the team.',
    });
  return account;
}

/** The account of that id, where it is the actor's own or a team of theirs; null where it is not. */
export async function getViewableAccount(
  runtime: Runtime,
  actor: Actor,
  accountId: string,
): Promise<{ id: string; name: string; slug: string | null; available: bigint } | null> {
  return await findViewable(runtime.db, actor.accountId, accountId);
}
