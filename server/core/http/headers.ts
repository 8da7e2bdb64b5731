import { newId } from '../../kit/ids';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Stops browsers from guessing a type. On every response. */
export const NOSNIFF = { 'X-Content-Type-Options': 'nosniff' } as const;

/** On every response that no cache may store. */
export const COMMON_HEADERS = { 'Cache-Control': 'no-store', ...NOSNIFF } as const;

/** For content that never changes under its URL. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Without includeSubDomains: subdomains are the operator's decision. */
export function transportSecurity(https: boolean): Record<string, string> {
  return https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {};
}

const REQUEST_ID = /^[A-Za-z0-9._:+=@-]{1,128}$/;

/** Returns the client's own X-Request-Id if it is valid, otherwise a new id. */
export function chooseRequestId(sent: string | readonly string[] | null | undefined): string {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : newId('request');
}

const REALM = 'Bearer realm="gateway"';

/** RFC 6750 section 3: no `error` parameter if the request had no key. */
export function challenge(code: string): string {
  return code === 'AUTH_FAILED'
    ? `${REALM}, error="invalid_token", error_description="The API key is not valid"`
    : REALM;
}
