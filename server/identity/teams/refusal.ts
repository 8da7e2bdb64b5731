import { ASK_OPERATOR } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';

/** The same error for a team that does not exist and one that the caller is not in. */
export function noSuchTeam(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'You are not in a team with this name.',
    hint: 'Your teams are listed in the dashboard under Team.',
  });
}

export function noSuchMember(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'This person is not in the team.',
    hint: 'Reload the page to see the current members.',
  });
}

/** An error about the value of one field. */
export function invalidField(path: string, message: string, hint: string): GatewayError {
  return new GatewayError('INVALID_INPUT', { message, hint, details: { fields: [{ path, message }] } });
}

/**
 * FORBIDDEN for an operation that another person may do, or the caller later; `hint` names whom or
 * when.
 */
export function refused(message: string, hint: string): GatewayError {
  return new GatewayError('FORBIDDEN', { message, hint });
}

/** @throws GatewayError FORBIDDEN if the operator has frozen the person's account */
export function refuseFrozen({ accountFrozen }: { accountFrozen: boolean }): void {
  if (accountFrozen) throw refused('Your account is frozen.', ASK_OPERATOR);
}
