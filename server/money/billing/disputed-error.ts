import { type ErrorDetails, GatewayError } from '../../core/errors/gateway-error';

/** The error for spending and buying while a payment is disputed. */
export function disputedError(details?: ErrorDetails): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message:
      'A payment of this account is disputed: buying and spending are paused until the dispute is resolved.',
    hint: 'Withdraw the dispute with the bank that issued the card, or ask the operator of this gateway. Free skills still work.',
    details,
  });
}
