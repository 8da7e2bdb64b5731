import { DrizzleAdapter } from '@auth/drizzle-adapter';
import { eq } from 'drizzle-orm';
import type { Adapter, AdapterAccount, AdapterSession, AdapterUser } from 'next-auth/adapters';
import { identities, sessions, users, verificationTokens } from '@/db/schema/auth';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import { hashSessionToken } from './session-token';

interface AdapterOptions {
  /**
   * Set during the request to the email address that the sign-in verified; stored with the session.
   */
  proof?: { verifiedEmail: string | null };
  /** Whether to store a sign-in link's token; false if its email is not sent. */
  mayStoreToken?: (email: string) => Promise<boolean>;
}

/**
 * Adapts next-auth to the gateway's tables. Session tokens are stored as hashes, tokens of OAuth
 * providers not at all, and tokens of sign-in links only if the email is sent.
 */
export function createAuthAdapter(
  runtime: Pick<Runtime, 'db'>,
  { proof = { verifiedEmail: null }, mayStoreToken = async () => true }: AdapterOptions = {},
): Adapter {
  // The adapter is typed for @auth/core; next-auth 4 calls the same methods with the same shapes.
  const base = DrizzleAdapter(runtime.db, {
    usersTable: users,
    accountsTable: identities,
    sessionsTable: sessions,
    verificationTokensTable: verificationTokens,
  } as never) as unknown as Adapter;
  const required = base as Required<Adapter>;
  return {
    ...base,
    async createUser(user: Omit<AdapterUser, 'id'>) {
      const [created] = await runtime.db
        .insert(users)
        .values({ ...user, id: newId('user'), email: user.email.toLowerCase() })
        .returning();
      return created as AdapterUser;
    },
    async getUserByEmail(email) {
      const [user] = await runtime.db.select().from(users).where(eq(users.email, email.toLowerCase()));
      return (user as AdapterUser | undefined) ?? null;
    },
    async createVerificationToken(token) {
      return (await mayStoreToken(token.identifier)) ? await required.createVerificationToken(token) : token;
    },
    async linkAccount({ userId, type, provider, providerAccountId }: AdapterAccount) {
      await runtime.db.insert(identities).values({ userId, type, provider, providerAccountId });
    },
    async createSession(session) {
      const { sessionToken, userId, expires } = session;
      const { verifiedEmail } = proof;
      await runtime.db
        .insert(sessions)
        .values({ sessionToken: hashSessionToken(sessionToken), userId, expires, verifiedEmail });
      return session;
    },
    async getSessionAndUser(sessionToken) {
      const found = await required.getSessionAndUser(hashSessionToken(sessionToken));
      return found ? { ...found, session: { ...found.session, sessionToken } } : null;
    },
    async updateSession(session) {
      const stored = await required.updateSession({
        ...session,
        sessionToken: hashSessionToken(session.sessionToken),
      });
      return stored ? ({ ...stored, sessionToken: session.sessionToken } as AdapterSession) : null;
    },
    async deleteSession(sessionToken) {
      await required.deleteSession(hashSessionToken(sessionToken));
    },
  };
}
