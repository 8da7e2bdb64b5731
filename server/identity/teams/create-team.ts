import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { newId } from '../../kit/ids';
import { lockAccounts } from '../../money/billing/ledger';
import { copyLimits } from '../plans/copy-limits';
import { invalidField, refused, refuseFrozen } from './refusal';
import type { JoinedTeam } from './schema';
import { slugProblem, suggestSlug } from './slug';
import { countOwnedTeams, insertMember, insertTeam } from './store';

/** Teams that one person can own at a time. */
export const MAX_OWNED_TEAMS = 20;
/**
 * Slugs are never reused, so this keeps one person from exhausting them by creating and deleting
 * teams.
 */
export const MAX_TEAMS_PER_DAY = 20;
const DAY_SECONDS = 86_400;

/**
 * Creates a team, owned by the caller, with the limits of their account.
 * @throws GatewayError INVALID_INPUT naming `slug` if it is taken or not allowed; FORBIDDEN at
 *   MAX_OWNED_TEAMS; RATE_LIMIT_EXCEEDED at MAX_TEAMS_PER_DAY
 */
export async function createTeam(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  wanted: { name: string; slug?: string | undefined },
): Promise<JoinedTeam> {
  refuseFrozen(actor);
  const { name } = wanted;
  const slug = wanted.slug ?? suggestSlug(name);
  const problem = slugProblem(slug);
  if (problem) throw invalidField('slug', problem, 'Choose a slug yourself.');
  const id = newId('account');
  await runtime.db.transaction(async (tx) => {
    const [own] = await lockAccounts(tx, [actor.accountId]);
    if (!own || own.closedAt) throw new GatewayError('AUTH_REQUIRED');
    if ((await countOwnedTeams(tx, actor.userId)) >= MAX_OWNED_TEAMS)
      throw refused(`You own ${MAX_OWNED_TEAMS} teams, the maximum.`, 'Transfer or delete one first.');
    if (!(await insertTeam(tx, { id, name, slug, ownerUserId: actor.userId })))
      throw invalidField(
        'slug',
        `“${slug}” is taken: choose another.`,
        'A slug stays with its team permanently.',
      );
    await copyLimits(tx, own, id);
    const window = { scope: 'team-create', subject: actor.userId, quota: MAX_TEAMS_PER_DAY };
    const { taken, resetSeconds } = await takeFromWindow(tx, { ...window, seconds: DAY_SECONDS });
    if (!taken)
      throw new GatewayError('RATE_LIMIT_EXCEEDED', {
        message: `You created ${MAX_TEAMS_PER_DAY} teams within a day, the maximum.`,
        hint: 'Create the next one tomorrow.',
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
