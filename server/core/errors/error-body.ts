import { ERRORS } from './catalogue';
import type { GatewayError } from './gateway-error';
import { type Hint, type HintTransport, wordHint } from './hint';
import type { ErrorBody } from './schema';

/**
 * Builds the response body of an error (contract section 3).
 * @param baseUrl for the link to the documentation; null where it is not known yet
 * @param transport whose words the hint has
 */
export function errorBody(
  error: GatewayError,
  requestId: string,
  baseUrl: string | null,
  transport: HintTransport = 'rest',
): ErrorBody {
  return {
    status: 'error',
    error: {
      code: error.code,
      message: error.message,
      type: ERRORS[error.code].type,
      resolution_hint: wordHint(error.hint, transport),
      ...(baseUrl === null ? {} : { doc_url: `${baseUrl}/docs/errors#${error.code}` }),
      ...error.details,
      request_id: error.details.request_id ?? requestId,
    },
  };
}

/**
 * Returns the hint of a stored Error object, whose text was written for REST: the hint of its code
 * in all wordings where it is that one, else the stored text.
 */
export function readStoredHint({ code, resolution_hint: text }: StoredError): Hint {
  const { hint } = ERRORS[code];
  return wordHint(hint, 'rest') === text ? hint : text;
}

/** An Error object as it is stored in the outcome of a call or of a request. */
type StoredError = Pick<ErrorBody['error'], 'code' | 'resolution_hint'>;

/** Words the hint of a stored Error object for MCP. */
export function rewordForMcp<T extends StoredError>(error: T): T {
  return { ...error, resolution_hint: wordHint(readStoredHint(error), 'mcp') };
}
