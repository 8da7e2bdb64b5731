import { GatewayError } from '../../core/errors/gateway-error';

export function keyNotFound(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'This account has no such key.',
    hint: 'List the keys with GET /v1/keys.',
  });
}
