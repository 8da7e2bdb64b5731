import { challenge } from '../../core/http/headers';
import { resourceMetadataUrl } from '../../identity/oauth/metadata';
import { SCOPE } from '../../identity/oauth/resource';

/** The WWW-Authenticate challenge of /mcp: it leads a client to OAuth (RFC 9728 section 5.1). */
export function buildChallenge(baseUrl: string, code: string): string {
  return `${challenge(code)}, resource_metadata="${resourceMetadataUrl(baseUrl)}", scope="${SCOPE}"`;
}
