import { createHash, randomBytes } from 'node:crypto';
import { verificationTokens } from '@/db/schema/auth';
import type { Runtime } from '../../core/runtime';
import { signInUrl } from './sign-in-url';

const LIFETIME_MS = 24 * 3600 * 1000;

/**
 * Creates a link that signs an address in once, without sending email; the first start prints it
 * for the operator. next-auth stores the token as SHA-256 of token and secret.
 */
export async function createSignInLink(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  email: string,
): Promise<string> {
  const { authSecret, baseUrl } = runtime.settings;
  const token = randomBytes(32).toString('hex');
  await runtime.db.insert(verificationTokens).values({
    identifier: email,
    token: createHash('sha256').update(`${token}${authSecret}`).digest('hex'),
    expires: new Date(Date.now() + LIFETIME_MS),
  });
  return signInUrl(baseUrl, { token, email, callbackUrl: `${baseUrl}/dashboard` });
}
