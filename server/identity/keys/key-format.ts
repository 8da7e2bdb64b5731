import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `tg_live_` + 32 base62 (190 random bits) + 6 base62 of CRC-32 (contract section 8). */
export const KEY_PREFIX = 'tg_live_';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Of a complete key. */
export const KEY_CHARS = KEY_PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^tg_live_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export interface NewKey {
  /** Returned to the owner once, never stored. */
  secret: string;
  /** SHA-256. A fast hash is enough: 190 random bits cannot be guessed. */
  hash: Buffer;
  /** First 12 and last 4 characters, for lists. */
  mask: string;
}

/** 97 % of them are usable. */
const RANDOM_BYTES = SECRET_LENGTH * 4;

function toBase62(bytes: Uint8Array): string {
  let out = '';
  for (const byte of bytes) {
    // 248 = 4 × 62: using higher bytes would make some characters more likely.
    if (byte < 248 && out.length < SECRET_LENGTH) out += BASE62[byte % 62];
  }
  if (out.length < SECRET_LENGTH) throw new Error('Too few usable bytes for a key');
  return out;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let out = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = BASE62[rest % 62] + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** Generates an API key. */
export function generateKey(): NewKey {
  return buildKey(randomBytes(RANDOM_BYTES));
}

/**
 * Derives the API key of a paid call from a secret of the gateway, so that a repeat of the payment
 * can be answered with it although only its hash is stored (docs/decisions/0063).
 */
export function derivePaidKey(secret: string, orderId: string): NewKey {
  return buildKey(new Uint8Array(hkdfSync('sha256', secret, '', `key of ${orderId}`, RANDOM_BYTES)));
}

function buildKey(bytes: Uint8Array): NewKey {
  const body = toBase62(bytes);
  const secret = `${KEY_PREFIX}${body}${checksum(body)}`;
  return { secret, hash: hashKey(secret), mask: maskKey(secret) };
}

/** Checks format and checksum, so that a mistyped key is rejected without a database query. */
export function isWellFormedKey(presented: string): boolean {
  const match = KEY_PATTERN.exec(presented);
  return match?.[1] !== undefined && checksum(match[1]) === match[2];
}

/** Returns the hash that the database stores. */
export function hashKey(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** `tg_live_4fK2…9xQa` */
export function maskKey(secret: string): string {
  return `${secret.slice(0, 12)}…${secret.slice(-4)}`;
}
