import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { sendSecurityEmail } from '../../platform/email/send-security-email';
import { deleteFactor, lockPerson } from './store';

/**
 * Removes the second factor of a person who lost app and recovery codes, for the operator.
 * @throws GatewayError NOT_FOUND if none is on
 */
export async function resetFactor(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  by: AuditActor,
  { userId, accountId }: { userId: string; accountId: string },
): Promise<void> {
  const person = await runtime.db.transaction(async (tx) => {
    const locked = await lockPerson(tx, userId);
    if (!locked || !(await deleteFactor(tx, userId)))
      throw new GatewayError('NOT_FOUND', {
        message: 'This person has not turned on two-step verification.',
      });
    await writeAudit(tx, { actor: by, action: 'factor.reset', accountId, target: userId });
    return locked;
  });
  sendSecurityEmail(runtime, {
    to: person.email,
    subject: 'Two-step verification was reset',
    body: [
      'The operator removed the second factor of your account. Signing in needs no code until you set one up again.',
    ],
  });
}
