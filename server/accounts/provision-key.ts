import { GatewayError } from '../errors/gateway-error';
import { newId } from '../ids';
import { issueKey } from '../keys/issue-key';
import { clientSubject } from '../limits/client-subject';
import { policy, rateHeaders } from '../limits/rate-headers';
import { takeFromWindow } from '../limits/store';
import type { RequestContext } from '../trpc/context';
import { claimToken, hashClaimToken, newClaimNonce } from './claim-token';
import { claimUrlOf } from './claim-url';
import type { ProvisionResponse } from './schema';
import { insertAccount } from './store';

const HOUR = 3600;
const DAY = 86_400;

/**
 * A key without signing up: a provisional account with one key, for free tools until a person claims it.
 * @throws GatewayError RATE_LIMIT_EXCEEDED per client address, with the headers of its two windows
 */
export async function provisionKey(context: RequestContext): Promise<ProvisionResponse> {
  const { runtime, clientIp, reply } = context;
  const { settings } = runtime;
  const accountId = newId('account');
  const nonce = newClaimNonce();
  const subject = clientSubject(settings.claimSecret, clientIp);

  // One transaction: a refusal by the second window gives back what the first one took.
  const { row, secret } = await runtime.db.transaction(async (tx) => {
    const hour = await takeFromWindow(tx, {
      scope: 'provision',
      subject,
      quota: settings.provisionPerHour,
      seconds: HOUR,
    });
    const day = await takeFromWindow(tx, {
      scope: 'provision-day',
      subject,
      quota: settings.provisionPerDay,
      seconds: DAY,
    });
    Object.assign(
      reply.headers,
      rateHeaders([
        policy('provision', settings.provisionPerHour, HOUR, hour.used, hour.resetSeconds),
        policy('provision-day', settings.provisionPerDay, DAY, day.used, day.resetSeconds),
      ]),
    );
    const refused = !hour.taken ? { ...hour, limit: 'hour' } : !day.taken ? { ...day, limit: 'day' } : null;
    if (refused)
      throw new GatewayError('RATE_LIMIT_EXCEEDED', {
        message: 'Too many keys were provisioned from this address.',
        hint: `Use the key you have, or wait ${refused.resetSeconds} seconds.`,
        details: { limit: refused.limit, retry_after: refused.resetSeconds },
        headers: { 'Retry-After': String(refused.resetSeconds) },
      });
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
    claim_url: claimUrlOf(runtime, accountId, nonce),
    account_id: accountId,
    message:
      'This key works now, for free tools. Keep it: it is shown once. To use paid tools, give claim_url to a person.',
    onboarding: {
      welcome: `Find tools with GET ${settings.baseUrl}/v1/tools/search?q=…, call them with POST ${settings.baseUrl}/v1/tools/call.`,
      first_call: firstCall(settings.baseUrl, secret),
      docs_url: `${settings.baseUrl}/docs`,
      skill_url: `${settings.baseUrl}/skill.md`,
    },
  };
}

/** A curl line that works as it is. */
export function firstCall(baseUrl: string, key: string): string {
  return [
    `curl -s ${baseUrl}/v1/tools/call`,
    `-H 'Authorization: Bearer ${key}'`,
    "-H 'Content-Type: application/json'",
    `-d '{"tool":"math","skill":"evaluate","input":{"expression":"2 * (3 + 4)"}}'`,
  ].join(' ');
}
