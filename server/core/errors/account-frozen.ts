import { type ErrorDetails, GatewayError } from './gateway-error';

/** The hint where only the operator can help. */
export const ASK_OPERATOR = 'Ask the operator of this gateway.';

interface Frozen {
  /** What happened to the request, as a sentence. */
  outcome?: string;
  details?: ErrorDetails;
}

/** Creates the error for an account that the operator has frozen. */
export function accountFrozen({ outcome, details }: Frozen = {}): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: `This account is frozen.${outcome === undefined ? '' : ` ${outcome}`}`,
    hint: ASK_OPERATOR,
    details,
  });
}
