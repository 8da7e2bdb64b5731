import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { deleteGrant, revokeGrantKey } from './store';

/** The actor and action in the audit log. */
interface Ending {
  actor: string;
  action: 'oauth.disconnect' | 'oauth.replace' | 'oauth.revoke' | 'oauth.reuse';
}

/**
 * Ends a grant: deletes its tokens and revokes its key. Running calls finish and are charged. Runs
 * in the caller's transaction, before any account is locked.
 * @returns false if the person has no such grant
 */
export async function endGrant(
  tx: Executor,
  { userId, grantId }: { userId: string; grantId: string },
  { actor, action }: Ending,
): Promise<boolean> {
  const gone = await deleteGrant(tx, userId, grantId);
  if (!gone) return false;
  const accountId = await revokeGrantKey(tx, gone.keyId);
  await writeAudit(tx, {
    actor,
    action,
    ...(accountId === null ? {} : { accountId }),
    target: gone.keyId,
    details: { client: gone.clientId },
  });
  return true;
}
