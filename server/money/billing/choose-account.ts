import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { AccountType, Actor } from '../../core/trpc/actor';
import { findAccountFor, findViewable } from './store';

/** An account that an actor acts on beside their own, and as what. */
export interface ChosenAccount {
  id: string;
  type: AccountType;
  slug: string | null;
  name: string;
  role: 'owner' | 'admin' | 'member';
  /** By the operator. */
  frozen: boolean;
  /** A payment of it is disputed: nothing that costs or brings money until that is decided. */
  disputed: boolean;
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

/** Refuses what costs or brings money while a payment is disputed. */
export function disputedError(): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: 'A payment of this account is disputed: nothing is bought or spent until that is decided.',
    hint: 'Withdraw the dispute with the bank that issued the card, or ask the operator. Free skills go on.',
  });
}

/** The account of that id, where it is the actor's own or a team of theirs; null where it is not. */
export async function getViewableAccount(
  runtime: Runtime,
  actor: Actor,
  accountId: string,
): Promise<{ id: string; name: string; slug: string | null; available: bigint } | null> {
  return await findViewable(runtime.db, actor.accountId, accountId);
}
