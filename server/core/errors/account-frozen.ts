import { GatewayError } from './gateway-error';

/** Creates the error for an account that the operator has frozen. */
export function accountFrozen(): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: 'This account is frozen.',
    hint: 'Ask the operator of this gateway.',
  });
}
