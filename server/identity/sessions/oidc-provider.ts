import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { OidcSettings } from '../../platform/settings/access-settings';

/** The claims of an ID token that the gateway reads. */
interface OidcProfile {
  iss: string;
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/**
 * The provider of single sign-on: authorization code with PKCE, state and nonce; the library checks
 * signature, audience and expiry of the ID token. The operator trusts this issuer, so its verified
 * addresses may open existing accounts (`mayOpenAccount`).
 */
export function createOidcProvider({
  issuer,
  clientId,
  clientSecret,
  name,
}: OidcSettings): OAuthConfig<OidcProfile> {
  return {
    id: 'oidc',
    name,
    type: 'oauth',
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    authorization: { params: { scope: 'openid email profile' } },
    checks: ['pkce', 'state', 'nonce'],
    idToken: true,
    allowDangerousEmailAccountLinking: true,
    profile(claims) {
      // The library checks the issuer of the discovery document; it must be the trusted one.
      if (claims.iss.replace(/\/$/, '') !== issuer) throw new Error('The ID token is from another issuer');
      return { id: claims.sub, name: claims.name ?? null, email: claims.email?.toLowerCase() ?? null };
    },
  };
}
