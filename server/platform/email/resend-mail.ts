import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { reviveMail } from './store';

/**
 * Has a mail that could not be sent tried again, from its first attempt on.
 * @throws GatewayError NOT_FOUND where there is none, or it has been sent
 */
export async function resendMail({ db }: Runtime, by: AuditActor, id: bigint): Promise<void> {
  await db.transaction(async (tx) => {
    const mail = await reviveMail(tx, id);
    if (!mail)
      throw new GatewayError('NOT_FOUND', {
        message: 'This mail has been sent, or is not there any more.',
        hint: 'Reload the page to see what is.',
      });
    await writeAudit(tx, {
      actor: by,
      action: 'mail.resend',
      accountId: mail.account_id,
      target: String(id),
    });
  });
}
