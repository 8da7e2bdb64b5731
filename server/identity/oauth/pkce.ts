import { createHash, timingSafeEqual } from 'node:crypto';

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Whether it can be the challenge of the method S256: base64url of a SHA-256 (RFC 7636 section 4.2). */
export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether this is the verifier that the challenge was made from. */
export function verifies(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const wanted = Buffer.from(challenge);
  return made.length === wanted.length && timingSafeEqual(made, wanted);
}
