import type { NextAuthOptions } from 'next-auth';
import EmailProvider from 'next-auth/providers/email';
import GitHubProvider from 'next-auth/providers/github';
import GoogleProvider from 'next-auth/providers/google';
import { getRuntime, type Runtime } from '../../core/runtime';
import { normalizeEmail } from '../../kit/email-address';
import { openPersonalAccount } from '../accounts/open-personal-account';
import { createAuthAdapter } from './adapter';
import { safeRedirect } from './safe-redirect';
import { createSignInEmail } from './sign-in-email';

const LINK_LIFETIME_SECONDS = 24 * 3600;
const SESSION_LIFETIME_SECONDS = 30 * 24 * 3600;
const SESSION_RENEWAL_SECONDS = 24 * 3600;

/** Returns the configured sign-in methods; the sign-in page shows these. */
export function signInMethods(): { email: boolean; github: boolean; google: boolean; localInbox: boolean } {
  const { settings, ports } = getRuntime();
  return {
    email: ports.mail !== null,
    github: settings.github !== null,
    google: settings.google !== null,
    localInbox: ports.localMail !== null,
  };
}

interface SignInAttempt {
  user: { email?: string | null };
  account: { provider: string } | null;
  profile?: object | undefined;
  /** next-auth sets `verificationRequest` when a link is requested, not when it is opened. */
  email?: { verificationRequest?: boolean };
}

/**
 * Returns the address that a sign-in verified: an opened email link, or a Google account with a
 * verified email; otherwise null.
 */
export function getVerifiedEmail({ user, account, profile, email }: SignInAttempt): string | null {
  if (account?.provider === 'email')
    return email?.verificationRequest ? null : (user.email?.toLowerCase() ?? null);
  if (account?.provider !== 'google' || !profile) return null;
  const { email_verified: verified, email: address } = profile as {
    email_verified?: unknown;
    email?: unknown;
  };
  return verified === true && typeof address === 'string' ? address.toLowerCase() : null;
}

/**
 * Builds next-auth's options: database sessions, email links, and GitHub and Google if configured.
 * @param clientIp counts sign-in emails per network
 */
export function authOptions(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  clientIp = '',
): NextAuthOptions {
  const { settings, ports } = runtime;
  const { mail } = ports;
  // Per request, so that concurrent sign-ins do not share their result.
  const proof: { verifiedEmail: string | null } = { verifiedEmail: null };
  const email = createSignInEmail(runtime, clientIp);
  return {
    adapter: createAuthAdapter(runtime, { proof, mayStoreToken: email.isAdmitted }),
    secret: settings.authSecret,
    session: { strategy: 'database', maxAge: SESSION_LIFETIME_SECONDS, updateAge: SESSION_RENEWAL_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in', verifyRequest: '/sign-in?sent=1' },
    providers: [
      ...(mail
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
      ...(settings.github ? [GitHubProvider(settings.github)] : []),
      ...(settings.google ? [GoogleProvider(settings.google)] : []),
    ],
    callbacks: {
      signIn(attempt) {
        proof.verifiedEmail = getVerifiedEmail(attempt);
        return true;
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
    },
    logger: {
      error: (code, metadata) => runtime.log.error('sign_in.failed', { code, error: metadata }),
      warn: (code) => runtime.log.warn('sign_in.warning', { code }),
      debug: () => {},
    },
  };
}
