import { buildClaimUrl } from '../../core/claims/claim-url';
import { findClaimNonce } from '../../core/claims/store';
import { accountFrozen } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { callRateHeaders } from '../../core/limits/rate-headers';
import type { KeyActor } from '../../core/trpc/actor';
import type { KeyContext, RequestContext } from '../../core/trpc/context';
import { derivePaidKey } from '../../identity/keys/key-format';
import { keyActor } from '../../identity/sessions/resolve-actor';
import { findTopup, type Topup } from '../../money/top-ups/store';
import { addReceipt } from '../receipts/attach-receipts';
import type { CallResult } from '../result/schema';
import type { CallInput } from '../schema';

/** Longer than a request can take from this check to its idempotency record. */
const MARGIN_SECONDS = 300;

/** Runs a call of a key. */
export type RunCall = (context: KeyContext, call: CallInput) => Promise<CallResult>;

/** The key and the claim link of the account that a payment was credited to. */
interface Rest {
  api_key: string;
  claim_url?: string;
}

/**
 * Runs a paid call with the key of its order, once: its record is named after the order, so a
 * repeat gets the stored response, also once the key is revoked, which only admission refuses. What
 * is not spent stays on the key.
 * @throws GatewayError the failure of the call, with the key: the payment is never lost
 */
export async function runPaidCall(
  context: RequestContext,
  call: CallInput,
  orderId: string,
  runCall: RunCall,
): Promise<CallResult> {
  const { runtime, reply } = context;
  const { secret, hash } = derivePaidKey(runtime.settings.claimSecret, orderId);
  const keyHash = hash.toString('hex');
  const key = await runtime.flush.resolveKey(keyHash);
  if (!key) throw new GatewayError('AUTH_FAILED', { message: 'The key of this payment was revoked.' });
  const actor = keyActor(key, keyHash);
  reply.actor = actor;
  Object.assign(reply.headers, callRateHeaders(actor.windows, runtime.quotas));
  const rest = key.revoked ? {} : await describeRest(context, secret, actor);
  try {
    const { creditsMicrousd } = await findFreshOrder(context, orderId);
    if (actor.accountFrozen) throw accountFrozen({ details: { billed: false } });
    const keyed: KeyContext = Object.assign({}, context, {
      actor,
      confirmActor: undefined,
      idempotencyKey: `payment:${orderId}`,
      wantsEvents: false,
      paidMicrousd: creditsMicrousd,
    });
    const ended = await runCall(keyed, call);
    const result = context.wantsReceipt ? await addReceipt(keyed, ended) : ended;
    return hasRest(result) ? { ...result, ...rest } : result;
  } catch (thrown) {
    throw addRest(toGatewayError(thrown), rest);
  }
}

/** A pending call is polled with the key, even if it may use up the payment. */
function hasRest({ status, usage }: CallResult): boolean {
  return status === 'pending' || (usage?.credits_remaining ?? 1) > 0;
}

async function describeRest(
  { runtime }: RequestContext,
  secret: string,
  { originAccountId }: KeyActor,
): Promise<Rest> {
  const nonce = await findClaimNonce(runtime.db, originAccountId);
  if (nonce === null) return { api_key: secret };
  return { api_key: secret, claim_url: buildClaimUrl(runtime, originAccountId, nonce) };
}

/**
 * Finds the order of a paid call whose response is still stored if it ran.
 * @throws GatewayError NOT_FOUND once the response may have been deleted: the call must not run
 *   again
 */
async function findFreshOrder({ runtime }: RequestContext, orderId: string): Promise<Topup> {
  const { idempotencyHours } = runtime.settings;
  const order = (await findTopup(runtime.db, orderId))?.topup;
  if (order && order.secondsFinished < idempotencyHours * 3600 - MARGIN_SECONDS) return order;
  throw new GatewayError('NOT_FOUND', {
    message: `The response to a paid call is stored for ${idempotencyHours} hours, which have passed.`,
    hint: 'Use api_key, which holds what is left of the payment.',
    details: { billed: false },
  });
}

function addRest(error: GatewayError, rest: Partial<Rest>): GatewayError {
  const { code, message, hint, details, headers, cause } = error;
  return new GatewayError(code, { message, hint, details: { ...details, ...rest }, headers, cause });
}
