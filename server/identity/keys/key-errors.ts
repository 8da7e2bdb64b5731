import { GatewayError } from '../../core/errors/gateway-error';

export function keyNotFound(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'This account has no such key.',
    hint: {
      rest: 'List the keys with GET /v1/keys.',
      mcp: 'Read the ids of the keys in by_key of get_usage.',
    },
  });
}
