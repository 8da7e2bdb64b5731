import type { RequestContext } from '../core/trpc/context';
import { findClaimable } from '../identity/accounts/find-claimable';
import type { ClaimPreview } from '../identity/accounts/schema';
import { countAccountData, listKeysClaimedFrom } from '../identity/accounts/store';
import { listKeys } from '../identity/keys/get-key';
import { resolveActor } from '../identity/sessions/resolve-actor';
import { usdFromMicrousd } from '../kit/money';

const UNKNOWN: ClaimPreview = {
  state: 'unknown',
  keys: [],
  created_at: null,
  calls: 0,
  credits_usd: 0,
  assets: 0,
  reviews: 0,
};

/** Describes what a claim would move, for the confirmation page. Changes nothing. */
async function previewClaim(
  context: RequestContext,
  token: string,
  viewerAccountId: string | null,
): Promise<ClaimPreview> {
  const { runtime } = context;
  const account = await findClaimable(context, token);
  if (!account) return UNKNOWN;
  if (account.claimedAt) {
    const yours = viewerAccountId !== null && account.claimedByAccountId === viewerAccountId;
    // A claim by another account reveals nothing of what it has now.
    if (!yours) return { ...UNKNOWN, state: 'claimed' };
    const keys = await listKeysClaimedFrom(runtime.db, account.id);
    return {
      ...UNKNOWN,
      state: 'claimed_by_you',
      keys: keys.map((key) => ({ name: key.name, key_prefix: key.mask })),
    };
  }
  const [{ keys }, counts] = await Promise.all([
    listKeys(runtime, { accountId: account.id }),
    countAccountData(runtime.db, account.id),
  ]);
  return {
    state: 'open',
    keys: keys.map(({ name, key_prefix }) => ({ name, key_prefix })),
    created_at: account.createdAt.toISOString(),
    calls: counts.calls,
    credits_usd: usdFromMicrousd(account.balanceMicrousd),
    assets: counts.assets,
    reviews: counts.reviews,
  };
}

/**
 * Returns the preview to any viewer, signed in or not.
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
export async function previewClaimForViewer(context: RequestContext, token: string): Promise<ClaimPreview> {
  const viewer =
    context.credentials.kind === 'session' ? await resolveActor(context, true).catch(() => null) : null;
  return await previewClaim(context, token, viewer?.accountId ?? null);
}
