import { DrizzleAdapter } from '@auth/drizzle-adapter';
import { eq } from 'drizzle-orm';
import type { Adapter, AdapterAccount, AdapterSession, AdapterUser } from 'next-auth/adapters';
import { identities, sessions, users, verificationTokens } from '@/db/schema/auth';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import { hasSecondFactor } from '../factor/check-code';
import { admitNewPerson } from '../sign-up/check-sign-up';
import { hashSessionToken } from './session-token';

/** How long a person may take to enter the code of the second factor. */
const HALF_SESSION_MS = 15 * 60_000;
const MAX_USER_AGENT = 400;

/** What is known of a sign-in, set during its request. */
export interface SignInProof {
  /** The email address that it verified; stored with the session. */
  verifiedEmail: string | null;
  /** It has created the person. */
  isNew?: boolean;
}

interface AdapterOptions {
  proof?: SignInProof;
  /** Shown in the person's list of sessions. */
  client?: { ip: string; userAgent: string | null };
  /** Whether to store a sign-in link's token; false if its email is not sent. */
  mayStoreToken?: (email: string) => Promise<boolean>;
}

/**
 * Adapts next-auth to the gateway's tables. Session tokens are stored as hashes, tokens of OAuth
 * providers not at all, and tokens of sign-in links only if the email is sent.
 */
export function createAuthAdapter(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  {
    proof = { verifiedEmail: null },
    client = { ip: '', userAgent: null },
    mayStoreToken = async () => true,
  }: AdapterOptions = {},
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
      const email = user.email.toLowerCase();
      const verified = proof.verifiedEmail === email;
      const emailVerified = verified ? new Date() : user.emailVerified;
      const created = await runtime.db.transaction(async (tx) => {
        await admitNewPerson({ db: tx, settings: runtime.settings }, email, { verified });
        const row = { ...user, id: newId('user'), email, emailVerified };
        const [inserted] = await tx.insert(users).values(row).returning();
        return inserted as AdapterUser;
      });
      proof.isNew = true;
      return created;
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
      const factorDue = await hasSecondFactor(runtime.db, userId);
      await runtime.db.insert(sessions).values({
        sessionToken: hashSessionToken(sessionToken),
        userId,
        expires: factorDue ? new Date(Date.now() + HALF_SESSION_MS) : expires,
        factorDue,
        verifiedEmail: proof.verifiedEmail,
        clientIp: client.ip || null,
        userAgent: client.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      });
      return session;
    },
    async getSessionAndUser(sessionToken) {
      const found = await required.getSessionAndUser(hashSessionToken(sessionToken));
      // next-auth links a provider to the person of the session, so it must not see a half one.
      if (!found || (found.session as { factorDue?: boolean }).factorDue) return null;
      return { ...found, session: { ...found.session, sessionToken } };
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
