import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { verificationTokens } from '@/db/schema/auth';
import type { Runtime } from '../../core/runtime';
import { signInUrl } from './sign-in-url';

const LIFETIME_MS = 24 * 3600 * 1000;

/** Creates a link that signs an address in once, without sending email: for the operator. */
export async function createSignInLink(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  email: string,
): Promise<string> {
  const { authSecret, baseUrl } = runtime.settings;
  const token = randomBytes(32).toString('hex');
  await runtime.db.insert(verificationTokens).values({
    identifier: email,
    token: hashLinkToken(token, authSecret),
    expires: new Date(Date.now() + LIFETIME_MS),
  });
  return signInUrl(baseUrl, { token, email, callbackUrl: `${baseUrl}/dashboard` });
}

/** Whether a sign-in link would work now: next-auth deletes its token when it is used. */
export async function isSignInLinkValid(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  { email, token }: { email: string; token: string },
): Promise<boolean> {
  if (email === '' || token === '') return false;
  const found = await db
    .select({ email: verificationTokens.identifier })
    .from(verificationTokens)
    .where(
      and(
        eq(verificationTokens.identifier, email),
        eq(verificationTokens.token, hashLinkToken(token, settings.authSecret)),
        gt(verificationTokens.expires, new Date()),
      ),
    );
  return found.length > 0;
}

/** As next-auth stores it. */
function hashLinkToken(token: string, secret: string): string {
  return createHash('sha256').update(`${token}${secret}`).digest('hex');
}
