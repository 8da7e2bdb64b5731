import type { Executor } from '@/db/client';
import { claimToken, hashClaimToken, newClaimNonce } from '../core/claims/claim-token';
import { buildClaimUrl } from '../core/claims/claim-url';
import { GatewayError } from '../core/errors/gateway-error';
import { clientSubject } from '../core/limits/client-subject';
import { type PolicyState, policy, rateHeaders } from '../core/limits/rate-headers';
import { takeFromWindow } from '../core/limits/store';
import type { RequestContext } from '../core/trpc/context';
import type { ProvisionResponse } from '../identity/accounts/schema';
import { insertAccount } from '../identity/accounts/store';
import { issueKey } from '../identity/keys/issue-key';
import { newId } from '../kit/ids';

const HOUR = 3600;
const DAY = 86_400;

/**
 * Issues a key without sign-up: a provisional account with one key, for free tools until a person
 * claims it.
 * @throws GatewayError FORBIDDEN if the operator has closed it (PROVISIONING);
 *   RATE_LIMIT_EXCEEDED for the client address, with the headers of its two windows, or for the
 *   gateway as a whole
 */
export async function provisionKey(context: RequestContext): Promise<ProvisionResponse> {
  const { runtime } = context;
  const { settings } = runtime;
  if (!settings.access.provisioning) throw provisioningClosed(settings.baseUrl);
  const accountId = newId('account');
  const nonce = newClaimNonce();

  // One transaction: a refusal by a later window undoes the earlier ones.
  const { row, secret } = await runtime.db.transaction(async (tx) => {
    await consumeProvisionQuota(tx, context);
    await insertAccount(tx, {
      id: accountId,
      type: 'provisional',
      name: 'Provisional account',
      claimNonce: nonce,
      claimTokenHash: hashClaimToken(claimToken(settings.claimSecret, { accountId, nonce })),
    });
    return await issueKey(tx, { accountId, name: 'API key', creditsMicrousd: null });
  });

  return {
    api_key: secret,
    key_prefix: row.mask,
    claim_url: buildClaimUrl(runtime, accountId, nonce),
    account_id: accountId,
    message:
      'This key works now for free tools. Store it: it is shown only once. To use paid tools, give claim_url to a person.',
    onboarding: {
      welcome: `Find tools with GET ${settings.baseUrl}/v1/tools/search?q=…, call them with POST ${settings.baseUrl}/v1/tools/call.`,
      first_call: buildFirstCall(settings.baseUrl, secret),
      docs_url: `${settings.baseUrl}/docs`,
      skill_url: `${settings.baseUrl}/skill.md`,
    },
  };
}

function provisioningClosed(baseUrl: string): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: 'This gateway issues no keys without sign-up.',
    hint: `Have a person sign in at ${baseUrl}/sign-in and create a key.`,
  });
}

/**
 * Counts a new account against the windows of the address, then against the gateway's hourly limit.
 * Only a client refused by the latter sees its state.
 */
async function consumeProvisionQuota(
  tx: Executor,
  { runtime, clientIp, reply }: RequestContext,
): Promise<void> {
  const { claimSecret, provisionPerHour, provisionPerDay, provisionTotalPerHour } = runtime.settings;
  const subject = clientSubject(claimSecret, clientIp);
  const windows = [
    { limit: 'hour', scope: 'provision', subject, quota: provisionPerHour, seconds: HOUR },
    { limit: 'day', scope: 'provision-day', subject, quota: provisionPerDay, seconds: DAY },
    { limit: 'total', scope: 'provision-total', subject: '', quota: provisionTotalPerHour, seconds: HOUR },
  ];
  const policies: PolicyState[] = [];
  for (const { limit, ...window } of windows) {
    const { taken, used, resetSeconds } = await takeFromWindow(tx, window);
    if (limit !== 'total' || !taken)
      policies.push(policy(window.scope, window.quota, window.seconds, used, resetSeconds));
    Object.assign(reply.headers, rateHeaders(policies));
    if (!taken)
      throw new GatewayError('RATE_LIMIT_EXCEEDED', {
        message:
          limit === 'total'
            ? 'Too many keys were provisioned at this gateway in the last hour.'
            : 'Too many keys were provisioned from this address.',
        hint:
          limit === 'total'
            ? `Wait ${resetSeconds} seconds, or have a person sign in and create a key.`
            : `Use the key you have, or wait ${resetSeconds} seconds.`,
        details: { limit, retry_after: resetSeconds },
      });
  }
}

/** Returns a curl command for a first call, ready to run. */
export function buildFirstCall(baseUrl: string, key: string): string {
  return [
    `curl -s ${baseUrl}/v1/tools/call`,
    `-H 'Authorization: Bearer ${key}'`,
    "-H 'Content-Type: application/json'",
    `-d '{"tool":"math","skill":"evaluate","input":{"expression":"2 * (3 + 4)"}}'`,
  ].join(' ');
}
