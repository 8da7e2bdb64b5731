import { createHash, timingSafeEqual } from 'node:crypto';

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Whether the text has the form of an S256 challenge: a SHA-256 in base64url (RFC 7636 section
 * 4.2).
 */
export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether the verifier matches the challenge. */
export function verifies(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const actual = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const wanted = Buffer.from(challenge);
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
