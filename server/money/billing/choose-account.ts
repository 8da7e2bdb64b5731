import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { AccountType, Actor } from '../../core/trpc/actor';
import { findAccountFor, findViewable } from './store';

/** The account that an actor acts for, and their role in it. */
export interface ChosenAccount {
  id: string;
  type: AccountType;
  slug: string | null;
  name: string;
  role: 'owner' | 'admin' | 'member';
  /** Frozen by the operator. */
  frozen: boolean;
  /** A payment is disputed: the account may neither spend nor buy until the dispute is resolved. */
  disputed: boolean;
}

/**
 * Resolves the account that `billing` names: the actor's own, or one of their teams.
 * @param need `member` to view it and spend from it, `admin` (or owner) to buy and change
 *   preferences
 * @throws GatewayError FORBIDDEN if the actor is not a member, `team` is ambiguous, or the role is
 *   too low; AUTH_FAILED if the actor's own account is closed
 */
export async function chooseAccount(
  runtime: { db: Executor },
  actor: Actor,
  billing: string | undefined,
  need: 'member' | 'admin',
): Promise<ChosenAccount> {
  const ofTeam = actor.kind === 'key' ? actor.teamSlug : null;
  const isOwn = billing === undefined || (ofTeam !== null && (billing === ofTeam || billing === 'team'));
  if (ofTeam !== null && !isOwn) throw teamOnly(ofTeam);
  const found = await findAccountFor(runtime.db, actor.accountId, isOwn ? 'personal' : billing);
  const [account] = found;
  // The account was deleted since its key or session was read.
  if (!account && (isOwn || billing === 'personal')) throw new GatewayError('AUTH_FAILED');
  if (!account || found.length > 1)
    throw new GatewayError('FORBIDDEN', {
      message: account
        ? 'You belong to more than one team: name one by its slug.'
        : 'You are not a member of that billing account.',
      details: { fields: [{ path: 'billing', message: 'Use personal, team, or the slug of your team.' }] },
    });
  if (need === 'admin' && account.role === 'member')
    throw new GatewayError('FORBIDDEN', {
      message: `Only owners and admins of ${account.name} may do that.`,
      hint: 'Ask an owner or admin of the team.',
    });
  return account;
}

/** A key of a team has no personal account, and no other team. */
function teamOnly(slug: string): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: `This key belongs to the team ${slug} and has no other account.`,
    details: { fields: [{ path: 'billing', message: `Use ${slug}, or leave it out.` }] },
  });
}

/** Finds an account that is the actor's own or one of their teams; null otherwise. */
export async function getViewableAccount(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  accountId: string,
): Promise<{ id: string; name: string; slug: string | null; available: bigint } | null> {
  return await findViewable(runtime.db, actor.accountId, accountId);
}
