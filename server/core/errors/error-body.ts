import { ERRORS } from './catalogue';
import type { GatewayError } from './gateway-error';
import type { ErrorBody } from './schema';

/**
 * Builds the response body of an error (contract section 3).
 * @param baseUrl for the link to the documentation; null where it is not known yet
 */
export function errorBody(error: GatewayError, requestId: string, baseUrl: string | null): ErrorBody {
  return {
    status: 'error',
    error: {
      code: error.code,
      message: error.message,
      type: ERRORS[error.code].type,
      resolution_hint: error.hint,
      ...(baseUrl === null ? {} : { doc_url: `${baseUrl}/docs/errors#${error.code}` }),
      ...error.details,
      request_id: error.details.request_id ?? requestId,
    },
  };
}
