import { ASK_OPERATOR } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { KeyActor } from '../../core/trpc/actor';
import { findTeamAccounts } from './store';

/** The charged account of a call. */
export interface ChargedAccount {
  accountId: string;
  /** `personal`: the account of the key, also if that is a team; else the slug of another team. */
  billing: string;
  /** `personal`, or the slug of the charged team. */
  chargedTo: string;
}

/**
 * The key's own account, unless `billing` names another; null means a team must be found.
 * @throws GatewayError FORBIDDEN if the key belongs to a team and `billing` names another account
 */
export function resolveOwnAccount(
  { accountId, teamSlug }: KeyActor,
  billing: string | undefined,
): ChargedAccount | null {
  const own = { accountId, billing: 'personal', chargedTo: teamSlug ?? 'personal' };
  if (teamSlug !== null && billing !== undefined && billing !== 'team' && billing !== teamSlug)
    throw teamOnly(teamSlug);
  return teamSlug !== null || billing === undefined || billing === 'personal' ? own : null;
}

function teamOnly(teamSlug: string): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: `This key belongs to the team ${teamSlug} and charges only that team.`,
    hint: 'Leave billing out, or use a key of the account to charge.',
    details: { billed: false, fields: [{ path: 'billing', message: `Use ${teamSlug}, or leave it out.` }] },
  });
}

/**
 * Finds the team that a call is charged to. Opening the call checks the membership again, under
 * lock.
 * @throws GatewayError FORBIDDEN if the owner is not a member of the team, if `team` is ambiguous,
 *   if their own account is frozen, or for a connected application
 */
export async function findChargedTeam(
  runtime: Pick<Runtime, 'sql'>,
  actor: KeyActor,
  billing = 'team',
): Promise<ChargedAccount> {
  if (actor.application) throw personalAccountOnly();
  const teams = actor.userId ? await findTeamAccounts(runtime.sql, actor.userId, billing) : [];
  const [team] = teams;
  if (!team || teams.length > 1)
    throw new GatewayError('FORBIDDEN', {
      message: team
        ? 'You are in more than one team: name the one to charge by its slug.'
        : 'The owner of this key is not a member of such a billing account.',
      details: {
        billed: false,
        fields: [{ path: 'billing', message: 'Use personal, team, or the slug of your team.' }],
      },
    });
  if (team.person_frozen)
    throw new GatewayError('FORBIDDEN', {
      message: 'The account of this key is frozen.',
      hint: ASK_OPERATOR,
      details: { billed: false },
    });
  return { accountId: team.id, billing: team.slug, chargedTo: team.slug };
}

/** The consent page authorizes charges to the personal account only. */
function personalAccountOnly(): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: 'A connected application may charge the personal account only.',
    hint: 'Leave billing out, or charge the team with an API key.',
    details: { billed: false, fields: [{ path: 'billing', message: 'Use personal, or leave it out.' }] },
  });
}
