import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import type { SessionActor } from '../../core/trpc/actor';
import { lockAccounts } from '../../money/billing/ledger';
import type { LockedAccount } from './lock-team';
import { listTeamIds } from './store';

/** A person's account and their teams, locked: they can neither join nor leave one. */
export interface LockedWithTeams {
  own: LockedAccount;
  teams: LockedAccount[];
}

/**
 * Locks a person's account with all their teams. Joining a team also locks the person's account, so
 * the list cannot grow afterwards.
 * @throws GatewayError UNAVAILABLE if they joined a team while this waited for the locks
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
      hint: 'Review your teams and try again.',
      details: { retry_after: 1 },
    });
  return { own, teams };
}
