import { createHash, createHmac, randomBytes } from 'node:crypto';

const PREFIXES = {
  access: 'tg_oat_',
  refresh: 'tg_ort_',
  code: 'tg_ocd_',
  clientSecret: 'tg_ocs_',
} as const;

/** A fast hash is enough for storage: 256 random bits cannot be guessed. */
const RANDOM_BYTES = 32;
const TOKEN = /^tg_(?:oat|ort|ocd|ocs)_[A-Za-z0-9_-]{43}$/;

export type TokenKind = keyof typeof PREFIXES;

/** An access token and the refresh token issued with it. */
export interface TokenPair {
  access: string;
  refresh: string;
}

/** Generates a token: its prefix, such as `tg_oat_`, and 43 characters of base64url. */
export function newToken(kind: TokenKind): string {
  return PREFIXES[kind] + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Generates a seed for `deriveSuccessors`. */
export function newSeed(): Buffer {
  return randomBytes(RANDOM_BYTES);
}

/**
 * Derives the token pair that replaces a refresh token, from the token (stored as a hash only) and
 * a random seed (stored). Neither alone reveals the pair, and a retry with both returns the same
 * pair.
 */
export function deriveSuccessors(refreshToken: string, seed: Buffer): TokenPair {
  const derive = (kind: 'access' | 'refresh') =>
    PREFIXES[kind] + createHmac('sha256', refreshToken).update(kind).update(seed).digest('base64url');
  return { access: derive('access'), refresh: derive('refresh') };
}

/** Checks the format, so that other text is rejected without a database query. */
export function hasTokenFormat(kind: TokenKind, text: string): boolean {
  return text.startsWith(PREFIXES[kind]) && TOKEN.test(text);
}

/** Returns the SHA-256 hash that the database stores. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
