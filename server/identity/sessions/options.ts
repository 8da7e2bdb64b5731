import type { NextAuthOptions } from 'next-auth';
import EmailProvider from 'next-auth/providers/email';
import GitHubProvider from 'next-auth/providers/github';
import GoogleProvider from 'next-auth/providers/google';
import { getRuntime, type Runtime } from '../../core/runtime';
import { normalizeEmail } from '../../kit/email-address';
import { sendSecurityEmail } from '../../platform/email/send-security-email';
import type { SignUpPolicy } from '../../platform/settings/access-settings';
import { openPersonalAccount } from '../accounts/open-personal-account';
import { checkSignUpAllowed, getSignUpPolicy } from '../sign-up/check-sign-up';
import { createAuthAdapter, type SignInProof } from './adapter';
import { createOidcProvider } from './oidc-provider';
import { safeRedirect } from './safe-redirect';
import { createSignInEmail } from './sign-in-email';
import { mayOpenAccount } from './store';

const LINK_LIFETIME_SECONDS = 24 * 3600;
export const SESSION_LIFETIME_SECONDS = 30 * 24 * 3600;
const SESSION_RENEWAL_SECONDS = 24 * 3600;

/** The sign-in methods, and who may sign up with them. */
interface SignInPage {
  gatewayUrl: string;
  methods: { email: boolean; github: boolean; google: boolean; oidc: string | null };
  localInbox: boolean;
  policy: SignUpPolicy;
  domains: readonly string[];
}

/** Returns what the sign-in page shows. */
export async function describeSignIn(): Promise<SignInPage> {
  const runtime = getRuntime();
  const { settings, ports } = runtime;
  const { oidc } = settings.access;
  const others = oidc?.only !== true;
  const { policy, domains } = await getSignUpPolicy(runtime);
  return {
    gatewayUrl: settings.baseUrl,
    methods: {
      email: others && ports.mail !== null,
      github: others && settings.github !== null,
      google: others && settings.google !== null,
      oidc: oidc?.name ?? null,
    },
    localInbox: ports.localMail !== null,
    policy,
    domains,
  };
}

interface SignInAttempt {
  user: { email?: string | null };
  account: { provider: string; providerAccountId?: string } | null;
  profile?: object | undefined;
  /** next-auth sets `verificationRequest` when a link is requested, not when it is opened. */
  email?: { verificationRequest?: boolean };
}

/**
 * Returns the address that a sign-in verified: an opened email link, an address at Gmail or in a
 * Google Workspace, or a verified one at the OpenID Connect provider; otherwise null.
 */
export function getVerifiedEmail({ user, account, profile, email }: SignInAttempt): string | null {
  if (account?.provider === 'email')
    return email?.verificationRequest ? null : (user.email?.toLowerCase() ?? null);
  if ((account?.provider !== 'google' && account?.provider !== 'oidc') || !profile) return null;
  const claims = profile as { email_verified?: unknown; email?: unknown; hd?: unknown };
  if (claims.email_verified !== true || typeof claims.email !== 'string') return null;
  const address = claims.email.toLowerCase();
  // Google verified any other address only once: who has the account may have lost the inbox since.
  const isHosted = address.endsWith('@gmail.com') || typeof claims.hd === 'string';
  return account.provider === 'oidc' || isHosted ? address : null;
}

/**
 * Decides whether a sign-in may go on.
 * @returns null if it may, otherwise the code for the sign-in page
 */
export async function findRefusal(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  { user, account, email }: SignInAttempt,
  verifiedEmail: string | null,
): Promise<string | null> {
  // The answer to a request for a link is the same for every address: `createSignInEmail` decides.
  if (email?.verificationRequest) return null;
  if (account?.provider === 'oidc') {
    if (verifiedEmail === null) return 'OidcEmailUnverified';
    const identity = { provider: 'oidc', providerAccountId: account.providerAccountId ?? '' };
    if (!(await mayOpenAccount(runtime.db, verifiedEmail, identity))) return 'OAuthAccountNotLinked';
  }
  const address = user.email ?? '';
  const verified = verifiedEmail === address.toLowerCase();
  if (await checkSignUpAllowed(runtime, address, { verified })) return null;
  // Not whether the address could sign up: it may be another person's.
  return verified ? 'SignUpRefused' : 'SignUpUnverified';
}

/** A provider that is linked to an existing account is a way in that outlives every session. */
function reportNewProvider(
  runtime: Pick<Runtime, 'log' | 'observer' | 'ports' | 'settings'>,
  to: string,
  provider: string,
): void {
  const names: Record<string, string | undefined> = {
    github: 'GitHub',
    google: 'Google',
    oidc: runtime.settings.access.oidc?.name,
  };
  sendSecurityEmail(runtime, {
    to,
    subject: 'A sign-in method was added',
    body: [`You can now sign in with ${names[provider] ?? provider} too.`],
  });
}

/**
 * Builds next-auth's options: database sessions, email links, and the configured providers.
 * @param clientIp counts sign-in emails per network, and is shown in the list of sessions
 */
export function authOptions(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  clientIp = '',
  userAgent: string | null = null,
): NextAuthOptions {
  const { settings, ports } = runtime;
  const { mail } = ports;
  const { oidc } = settings.access;
  const others = oidc?.only !== true;
  // Per request, so that concurrent sign-ins do not share their result.
  const proof: SignInProof = { verifiedEmail: null };
  const email = createSignInEmail(runtime, clientIp);
  return {
    adapter: createAuthAdapter(runtime, {
      proof,
      client: { ip: clientIp, userAgent },
      mayStoreToken: email.isAdmitted,
    }),
    secret: settings.authSecret,
    session: { strategy: 'database', maxAge: SESSION_LIFETIME_SECONDS, updateAge: SESSION_RENEWAL_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in', verifyRequest: '/sign-in?sent=1' },
    providers: [
      ...(oidc ? [createOidcProvider(oidc)] : []),
      ...(mail && others
        ? [
            EmailProvider({
              from: settings.mailFrom,
              maxAge: LINK_LIFETIME_SECONDS,
              normalizeIdentifier: normalizeEmail,
              sendVerificationRequest: email.send,
            }),
          ]
        : []),
      // No automatic linking: an unverified address at a provider must not open an existing
      // account.
      ...(settings.github && others ? [GitHubProvider(settings.github)] : []),
      ...(settings.google && others ? [GoogleProvider(settings.google)] : []),
    ],
    callbacks: {
      async signIn(attempt) {
        proof.verifiedEmail = getVerifiedEmail(attempt);
        const code = await findRefusal(runtime, attempt, proof.verifiedEmail);
        return code === null || `/sign-in?error=${code}`;
      },
      redirect: ({ url }) => safeRedirect(url, settings.baseUrl),
      session: ({ session, user }) => ({
        ...session,
        user: { name: user.name ?? null, email: user.email, image: user.image ?? null },
      }),
    },
    events: {
      async signIn({ user }) {
        if (user.email)
          await openPersonalAccount(runtime.db, { id: user.id, name: user.name, email: user.email });
      },
      linkAccount({ user, account }) {
        if (!proof.isNew && user.email) reportNewProvider(runtime, user.email, account.provider);
      },
    },
    logger: {
      error: (code, metadata) => runtime.log.error('sign_in.failed', { code, error: metadata }),
      warn: (code) => runtime.log.warn('sign_in.warning', { code }),
      debug: () => {},
    },
  };
}
