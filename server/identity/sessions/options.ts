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

/** How one can sign in here; the page shows these and no others. */
export function signInMethods(): { email: boolean; github: boolean; google: boolean; localInbox: boolean } {
  const { settings, ports } = getRuntime();
  return {
    email: ports.mail !== null,
    github: settings.github !== null,
    google: settings.google !== null,
    localInbox: ports.localMail !== null,
  };
}

interface Attempt {
  user: { email?: string | null };
  account: { provider: string } | null;
  profile?: object | undefined;
  /** A mail link is asked for, not followed. */
  email?: { verificationRequest?: boolean };
}

/**
 * Which address a sign-in proves to be the person's: a mail link that was followed, or Google,
 * where it has verified it.
 */
export function provenEmail({ user, account, profile, email }: Attempt): string | null {
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
 * next-auth as this gateway uses it: database sessions, mail links, GitHub and Google where they
 * are configured.
 * @param clientIp of the request, whose sign-in emails are counted
 */
export function authOptions(runtime: Runtime, clientIp = ''): NextAuthOptions {
  const { settings, ports } = runtime;
  const { mail } = ports;
  // Created for each request: what one sign-in proves is no other's.
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
      // Accounts are only linked by hand: an address that a provider has not verified must not open
      // someone's account.
      ...(settings.github ? [GitHubProvider(settings.github)] : []),
      ...(settings.google ? [GoogleProvider(settings.google)] : []),
    ],
    callbacks: {
      signIn(attempt) {
        proof.verifiedEmail = provenEmail(attempt);
        return true;
      },
      redirect: ({ url }) => safeRedirect(url, settings.baseUrl),
      session: ({ session, user }) => ({
        ...session,
        user: { name: user.name, email: user.email, image: user.image },
      }),
    },
    events: {
      async signIn({ user }) {
        if (user.email)
          await openPersonalAccount(runtime.db, { id: user.id, name: user.name, email: user.email });
      },
    },
    logger: {
      error: (code, metadata) => runtime.log.error('sign-in failed', { code, error: metadata }),
      warn: (code) => runtime.log.warn('sign-in warning', { code }),
      debug: () => {},
    },
  };
}
