import type { accounts } from '@/db/schema/accounts';
import { ASK_OPERATOR } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';
import { formatUsd } from '../../kit/money';

type Unsettled = Pick<typeof accounts.$inferSelect, 'frozenAt' | 'disputedAt' | 'debtMicrousd'>;

/**
 * Checks, under the account's lock, that it may be closed: closing must not drop a debt or a
 * dispute.
 * @param name as used in a sentence: the team's name, or `your account`
 * @throws GatewayError FORBIDDEN
 */
export function requireClosable({ frozenAt, disputedAt, debtMicrousd: debt }: Unsettled, name: string): void {
  if (frozenAt) throw refused(`The operator has frozen ${name}.`, ASK_OPERATOR);
  if (disputedAt)
    throw refused(
      `A payment for ${name} is disputed.`,
      'Wait until the bank has decided, or ask it to withdraw the dispute.',
    );
  if (debt > 0n)
    throw refused(
      `The debt of ${name} is ${formatUsd(debt)}.`,
      'Buy credit for it: that pays the debt first.',
    );
}

function refused(message: string, hint: string): GatewayError {
  return new GatewayError('FORBIDDEN', { message, hint });
}
