import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { limitFromUsd } from '../../kit/money';
import { checkRequest } from './check-request';
import { getMaxGrants, MAX_GRANTS } from './grant-rules';
import { hashToken, newToken } from './oauth-token';
import type { AuthorizationRequest } from './schema';
import { countGrants, insertCode, touchClient } from './store';

const CODE_SECONDS = 60;

/**
 * The approved request and the application's spending limit: dollars, null for no limit but the
 * balance.
 */
interface Approval {
  request: AuthorizationRequest;
  credits: number | null;
}

/**
 * Approves an authorization request: creates a code, valid once and for a minute, and returns the
 * redirect URL that carries it. Checks the request again, because the browser sends it a second
 * time.
 * @throws GatewayError INVALID_INPUT for an invalid request; FORBIDDEN at MAX_GRANTS;
 *   RATE_LIMIT_EXCEEDED
 */
export async function approveRequest(
  runtime: Pick<Runtime, 'db' | 'ports' | 'settings'>,
  actor: SessionActor,
  { request: asked, credits }: Approval,
): Promise<{ url: string }> {
  const outcome = await checkRequest(runtime, actor.userId, asked);
  if (outcome.kind !== 'asked') throw new GatewayError('INVALID_INPUT', { message: outcome.problem });
  const { client, redirectUri, challenge, answer } = outcome.request;
  const { db } = runtime;
  const [all, ofClient] = [
    await countGrants(db, actor.userId),
    await countGrants(db, actor.userId, client.id),
  ];
  if (all >= MAX_GRANTS && ofClient < getMaxGrants(client))
    throw new GatewayError('FORBIDDEN', {
      message: `You can connect at most ${MAX_GRANTS} applications.`,
      hint: 'Disconnect one in Settings.',
    });
  const code = newToken('code');
  await touchClient(db, client.id);
  await insertCode(
    db,
    {
      codeHash: hashToken(code),
      clientId: client.id,
      userId: actor.userId,
      accountId: actor.accountId,
      redirectUri,
      challenge,
      creditsMicrousd: limitFromUsd(credits),
    },
    CODE_SECONDS,
  );
  return { url: answer({ code }) };
}
