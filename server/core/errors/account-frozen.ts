import { GatewayError } from './gateway-error';

/** The operator has stopped the account. */
export function accountFrozen(): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: 'This account is frozen.',
    hint: 'Ask the operator of this gateway.',
  });
}
