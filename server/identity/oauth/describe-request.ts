import type { Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { checkRequest } from './check-request';
import { describeClient } from './describe-client';
import { getMaxGrants } from './grant-rules';
import type { AuthorizationRequest, DescribedRequest } from './schema';
import { countGrants } from './store';

/**
 * Describes an authorization request for the consent page, or why it cannot be approved. Grants
 * nothing.
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
export async function describeRequest(
  runtime: Pick<Runtime, 'db' | 'ports' | 'settings'>,
  actor: SessionActor,
  asked: AuthorizationRequest,
): Promise<DescribedRequest> {
  const outcome = await checkRequest(runtime, actor.userId, asked);
  if (outcome.kind === 'refused') return outcome;
  if (outcome.kind === 'faulty')
    return {
      kind: 'faulty',
      problem: outcome.problem,
      application: describeClient(outcome.client, outcome.redirectUri),
      return_url: outcome.returnUrl,
    };
  const { client, redirectUri, answer } = outcome.request;
  const granted = await countGrants(runtime.db, actor.userId, client.id);
  return {
    kind: 'asked',
    replaces: granted >= getMaxGrants(client),
    application: describeClient(client, redirectUri),
    deny_url: answer({ error: 'access_denied', error_description: 'The user denied the request.' }),
  };
}
