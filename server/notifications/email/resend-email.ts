import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { requeueEmail } from './store';

/**
 * Requeues an email that could not be sent, with its attempts reset.
 * @throws GatewayError NOT_FOUND if it does not exist or was already sent
 */
export async function resendEmail({ db }: Pick<Runtime, 'db'>, by: AuditActor, id: bigint): Promise<void> {
  await db.transaction(async (tx) => {
    const mail = await requeueEmail(tx, id);
    if (!mail)
      throw new GatewayError('NOT_FOUND', {
        message: 'This email was already sent or no longer exists.',
        hint: 'Reload the page to see the current list.',
      });
    await writeAudit(tx, {
      actor: by,
      action: 'mail.resend',
      accountId: mail.account_id,
      target: String(id),
    });
  });
}
