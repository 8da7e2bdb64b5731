import type { NextAuthOptions } from 'next-auth';
import EmailProvider from 'next-auth/providers/email';
import GitHubProvider from 'next-auth/providers/github';
import GoogleProvider from 'next-auth/providers/google';
import { normalizeEmail } from '../accounts/email-address';
import { openPersonalAccount } from '../accounts/open-personal-account';
import { getRuntime, type Runtime } from '../runtime';
import { createAuthAdapter } from './adapter';
import { safeRedirect } from './safe-redirect';
import { signInMail } from './sign-in-mail';

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

/** next-auth as this gateway uses it: database sessions, mail links, GitHub and Google where they are configured. */
export function authOptions(runtime: Runtime): NextAuthOptions {
  const { settings, ports } = runtime;
  const { mail } = ports;
  return {
    adapter: createAuthAdapter(runtime),
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
              sendVerificationRequest: ({ identifier, url }) => mail.send(signInMail(identifier, url)),
            }),
          ]
        : []),
      // Accounts are only linked by hand: an address that a provider has not verified must not open someone's account.
      ...(settings.github ? [GitHubProvider(settings.github)] : []),
      ...(settings.google ? [GoogleProvider(settings.google)] : []),
    ],
    callbacks: {
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
