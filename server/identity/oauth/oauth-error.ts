/**
 * Error codes of RFC 6749 (5.2 and 4.1.2.1), RFC 7591 (3.2.2), RFC 7009 and RFC 8707 in use here.
 */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_token_type'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/**
 * An error in the format of the OAuth standards, not in the gateway's own. Its description is
 * public.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;

  constructor(code: OAuthErrorCode, description: string, options: { status?: number } = {}) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.status = options.status ?? 400;
  }
}
