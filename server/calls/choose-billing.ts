import { GatewayError } from '../core/errors/gateway-error';
import type { Runtime } from '../core/runtime';
import type { KeyActor } from '../core/trpc/actor';
import { findTeamAccounts } from './store';

/** Who pays, and as what the call names it. */
export interface Charged {
  accountId: string;
  billing: string;
}

/** The key's own account, where `billing` names no other; null: a team is to be found. */
export function chargedToOwn({ accountId }: KeyActor, billing = 'personal'): Charged | null {
  return billing === 'personal' ? { accountId, billing } : null;
}

/**
 * The team a call is charged to. Whether the owner of the key is still a member is decided again,
 * exactly, when the call is opened.
 * @throws GatewayError FORBIDDEN where the owner is no member of the team, `team` is ambiguous, or
 *   their own account is frozen, and for a connected application
 */
export async function findChargedTeam(runtime: Runtime, actor: KeyActor, billing = 'team'): Promise<Charged> {
  if (actor.application) throw personalAccountOnly();
  const teams = actor.userId ? await findTeamAccounts(runtime.sql, actor.userId, billing) : [];
  const [team] = teams;
  if (!team || teams.length > 1)
    throw new GatewayError('FORBIDDEN', {
      message: team
        ? 'You are in more than one team: name the one to charge by its slug.'
        : 'The owner of this key is no member of such a billing account.',
      details: {
        billed: false,
        fields: [{ path: 'billing', message: 'Use personal, team, or the slug of your team.' }],
      },
    });
  if (team.person_frozen)
    throw new GatewayError('FORBIDDEN', {
      message: 'The account of this key is frozen.',
      hint: 'Ask the operator of this gateway.',
      details: { billed: false },
    });
  return { accountId: team.id, billing: team.slug };
}

/** What a person allows on the consent page is paid by their personal account. */
function personalAccountOnly(): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: 'A connected application may charge the personal account only.',
    hint: 'Leave billing out, or charge the team with an API key.',
    details: { billed: false, fields: [{ path: 'billing', message: 'Use personal, or leave it out.' }] },
  });
}
