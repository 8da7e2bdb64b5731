import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { lockTeam } from './lock-team';
import type { JoinedTeam } from './schema';
import { updateTeamName } from './store';

/** Renames a team; its slug stays, because agents charge by it. For the owner and admins. */
export async function renameTeam(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { slug, name }: { slug: string; name: string },
): Promise<JoinedTeam> {
  return await runtime.db.transaction(async (tx) => {
    const { team, role } = await lockTeam(tx, actor, slug, 'admin');
    if (team.name !== name) {
      await updateTeamName(tx, team.id, name);
      await writeAudit(tx, {
        actor: actorName(actor),
        action: 'team.rename',
        accountId: team.id,
        details: { from: team.name, to: name },
      });
    }
    return { slug, name, role };
  });
}
