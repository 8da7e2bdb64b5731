import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { lockTeam } from './lock-team';
import { updateDefaultTeam } from './store';

/**
 * Sets the team that `billing: "team"` means for the person's keys; null: none, so each call must
 * name one.
 * @throws GatewayError NOT_FOUND if they are not in the team
 */
export async function setDefaultTeam(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  slug: string | null,
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const teamId = slug === null ? null : await lockTeamId(tx, actor, slug);
    await updateDefaultTeam(tx, actor.userId, teamId);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.default',
      accountId: teamId ?? actor.accountId,
      target: actor.userId,
      details: { slug },
    });
  });
  return { success: true };
}

/** Locks the team: a concurrent removal of the member also clears their default. */
async function lockTeamId(tx: Executor, actor: SessionActor, slug: string): Promise<string> {
  return (await lockTeam(tx, actor, slug, 'member')).team.id;
}
