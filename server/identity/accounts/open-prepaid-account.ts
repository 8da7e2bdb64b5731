import type { Executor } from '@/db/client';
import { claimToken, hashClaimToken, newClaimNonce } from '../../core/claims/claim-token';
import type { Runtime } from '../../core/runtime';
import { insertAccount } from './store';

/**
 * Opens the account of a call that is about to be paid for without a key. It is provisional, so a
 * person can claim it, and prepaid, so its key may spend what was paid.
 */
export async function openPrepaidAccount(
  tx: Executor,
  { settings }: Pick<Runtime, 'settings'>,
  id: string,
): Promise<void> {
  const nonce = newClaimNonce();
  await insertAccount(tx, {
    id,
    type: 'provisional',
    name: 'Paid without an account',
    prepaid: true,
    claimNonce: nonce,
    claimTokenHash: hashClaimToken(claimToken(settings.claimSecret, { accountId: id, nonce })),
  });
}
