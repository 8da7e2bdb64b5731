import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import type { SessionActor } from '../../core/trpc/actor';
import { lockAccounts } from '../../money/billing/ledger';
import type { LockedAccount } from './lock-team';
import { listTeamIds } from './store';

/** A person's account, and the teams they are in, standing still: none can be joined or left meanwhile. */
export interface LockedWithTeams {
  own: LockedAccount;
  teams: LockedAccount[];
}

/**
 * Locks a person's account with all their teams. Whoever lets a person into a team locks their account too, so the list
 * does not grow any more once it is held.
 * @throws GatewayError UNAVAILABLE where they joined another one while the locks were waited for
 */
export async function lockWithTeams(tx: Executor, actor: SessionActor): Promise<LockedWithTeams> {
  const locked = await lockAccounts(tx, [actor.accountId, ...(await listTeamIds(tx, actor.userId))]);
  const own = locked.find((account) => account.id === actor.accountId);
  if (!own || own.closedAt) throw new GatewayError('AUTH_REQUIRED');
  const current = new Set(await listTeamIds(tx, actor.userId));
  const teams = locked.filter((account) => current.has(account.id));
  if (teams.length < current.size)
    throw new GatewayError('UNAVAILABLE', {
      message: 'You have just joined a team.',
      hint: 'Look at your teams and try again.',
      details: { retry_after: 1 },
    });
  return { own, teams };
}
