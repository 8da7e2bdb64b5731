import { GatewayError } from '../../core/errors/gateway-error';
import type { Operator } from '../../core/trpc/actor';
import type { RequestContext } from '../../core/trpc/context';
import { getOperatorRole } from '../../platform/settings/access-settings';
import { resolveActor } from './resolve-actor';

/**
 * Returns the operator of a request: a signed-in person with a verified address that OPERATORS
 * or SUPPORT lists. Returns null for everyone else, also for API keys of operators.
 */
export async function findOperator(
  context: Pick<RequestContext, 'credentials' | 'runtime' | 'transport'>,
): Promise<Operator | null> {
  if (context.credentials.kind !== 'session' || context.transport === 'rest') return null;
  const actor = await resolveActor(context, true).catch((error: unknown) => {
    if (error instanceof GatewayError) return null;
    throw error;
  });
  if (actor?.kind !== 'session' || actor.accountFrozen || !actor.verifiedEmail) return null;
  const { userId, verifiedEmail: email } = actor;
  const role = getOperatorRole(context.runtime.settings, email);
  return role && { userId, email, readOnly: role === 'support' };
}
