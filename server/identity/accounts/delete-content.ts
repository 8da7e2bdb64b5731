import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { forgetWebhooks } from '../../notifications/webhooks/forget-webhooks';
import { deletePayloads, forgetAddresses } from './store';

/**
 * Deletes the inputs, outputs and files of a team's keys, which the caller has locked, and the
 * client addresses of their calls. The sweep removes the bytes of hidden files, and the addresses.
 */
export async function deleteContent(tx: Executor, teamId: string): Promise<void> {
  await deletePayloads(tx, teamId);
  await forgetAddresses(tx, teamId);
  await forgetWebhooks(tx, teamId);
  await tx.execute(
    sql`update assets set deleted_at = now() where account_id = ${teamId} and deleted_at is null`,
  );
}
