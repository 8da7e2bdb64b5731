import { createHash, createHmac, randomBytes } from 'node:crypto';

const PREFIXES = {
  access: 'tg_oat_',
  refresh: 'tg_ort_',
  code: 'tg_ocd_',
  clientSecret: 'tg_ocs_',
} as const;

/** 256 bits: nothing can be guessed, so a fast hash is right for what is stored. */
const RANDOM_BYTES = 32;
const TOKEN = /^tg_(?:oat|ort|ocd|ocs)_[A-Za-z0-9_-]{43}$/;

export type TokenKind = keyof typeof PREFIXES;

/** Both tokens that an application is given together. */
export interface TokenPair {
  access: string;
  refresh: string;
}

/** A new secret of the kind: `tg_oat_` and 43 characters of base64url. */
export function newToken(kind: TokenKind): string {
  return PREFIXES[kind] + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** A new seed for `successorsOf`. */
export function newSeed(): Buffer {
  return randomBytes(RANDOM_BYTES);
}

/**
 * The pair that a refresh token is exchanged for. Made from the token, of which only a hash is stored, and a random seed,
 * which is stored: neither alone tells anything, and whoever asks again with the token is given the same pair.
 */
export function successorsOf(refreshToken: string, seed: Buffer): TokenPair {
  const derive = (kind: 'access' | 'refresh') =>
    PREFIXES[kind] + createHmac('sha256', refreshToken).update(kind).update(seed).digest('base64url');
  return { access: derive('access'), refresh: derive('refresh') };
}

/** Whether the text has the form of a token of the kind: anything else is refused without asking the database. */
export function isTokenOf(kind: TokenKind, text: string): boolean {
  return text.startsWith(PREFIXES[kind]) && TOKEN.test(text);
}

/** What is stored and looked up: SHA-256. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
