import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { newId } from '../../kit/ids';
import { lockAccounts } from '../../money/billing/ledger';
import { refused, refuseFrozen, wrongField } from './refusal';
import type { JoinedTeam } from './schema';
import { slugProblem, suggestSlug } from './slug';
import { countOwnedTeams, insertMember, insertTeam } from './store';

/** The most teams one person owns at a time. */
export const MAX_OWNED_TEAMS = 20;
/** A slug is never given again: whoever makes and deletes teams must not use them up. */
export const MAX_TEAMS_PER_DAY = 20;
const DAY_SECONDS = 86_400;

/**
 * A new team, its maker the owner.
 * @throws GatewayError INVALID_INPUT naming `slug` where it is taken or cannot be one, FORBIDDEN for too many teams
 */
export async function createTeam(
  runtime: Runtime,
  actor: SessionActor,
  wanted: { name: string; slug?: string },
): Promise<JoinedTeam> {
  refuseFrozen(actor);
  const { name } = wanted;
  const slug = wanted.slug ?? suggestSlug(name);
  const problem = slugProblem(slug);
  if (problem) throw wrongField('slug', problem, 'Write a slug of your own.');
  const id = newId('account');
  await runtime.db.transaction(async (tx) => {
    const [own] = await lockAccounts(tx, [actor.accountId]);
    if (!own || own.closedAt) throw new GatewayError('AUTH_REQUIRED');
    if ((await countOwnedTeams(tx, actor.userId)) >= MAX_OWNED_TEAMS)
      throw refused(
        `You own ${MAX_OWNED_TEAMS} teams, the most a person can.`,
        'Hand one over or delete one.',
      );
    if (!(await insertTeam(tx, { id, name, slug, ownerUserId: actor.userId })))
      throw wrongField('slug', `“${slug}” is taken: choose another.`, 'A slug belongs to one team for good.');
    const window = { scope: 'team-create', subject: actor.userId, quota: MAX_TEAMS_PER_DAY };
    const { taken, resetSeconds } = await takeFromWindow(tx, { ...window, seconds: DAY_SECONDS });
    if (!taken)
      throw new GatewayError('RATE_LIMIT_EXCEEDED', {
        message: `You made ${MAX_TEAMS_PER_DAY} teams within a day.`,
        hint: 'Make the next one tomorrow.',
        details: { limit: 'day', retry_after: resetSeconds },
      });
    await insertMember(tx, { accountId: id, userId: actor.userId, role: 'owner' });
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.create',
      accountId: id,
      details: { name, slug },
    });
  });
  return { slug, name, role: 'owner' };
}
