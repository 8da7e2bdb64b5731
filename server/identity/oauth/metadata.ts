import type { BootedSettings } from '../../platform/settings/settings';
import { RESOURCE_PATH, SCOPE } from './resource';

export const AUTHORIZE_PATH = '/oauth/authorize';
export const REGISTER_PATH = '/oauth/register';
export const TOKEN_PATH = '/oauth/token';
export const REVOKE_PATH = '/oauth/revoke';
/** Followed by the resource's path (RFC 9728 section 3.1); without one it describes the gateway. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';

const CLIENT_AUTHENTICATION = ['none', 'client_secret_basic', 'client_secret_post'] as const;

/**
 * Returns the metadata URL that the WWW-Authenticate challenge of /mcp names (RFC 9728 section
 * 5.1).
 */
export function resourceMetadataUrl(baseUrl: string): string {
  return baseUrl + RESOURCE_METADATA_PATH + RESOURCE_PATH;
}

/**
 * Builds the protected resource metadata (RFC 9728).
 * @param path of the resource; empty for the gateway as a whole
 */
export function resourceMetadata(
  { baseUrl, brand }: Pick<BootedSettings, 'baseUrl' | 'brand'>,
  path: '' | typeof RESOURCE_PATH,
) {
  return {
    resource: baseUrl + path,
    authorization_servers: [baseUrl],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: brand.name,
    resource_documentation: `${baseUrl}/docs`,
  };
}

/**
 * Builds the authorization server metadata (RFC 8414), with RFC 9207 and client ID metadata
 * documents.
 */
export function serverMetadata(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + AUTHORIZE_PATH,
    token_endpoint: baseUrl + TOKEN_PATH,
    registration_endpoint: baseUrl + REGISTER_PATH,
    revocation_endpoint: baseUrl + REVOKE_PATH,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    scopes_supported: [SCOPE],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/docs`,
  };
}
