import { randomFillSync } from 'node:crypto';

/** Prefixes of typed, time-sortable ids: prefix, 48 bits of milliseconds, random bits, base 32. */
export const ID_PREFIXES = {
  account: 'acct',
  key: 'key',
  call: 'call',
  job: 'job',
  asset: 'asset',
  review: 'rev',
  topup: 'topup',
  order: 'order',
  reload: 'reload',
  invitation: 'inv',
  credential: 'cred',
  user: 'user',
  ledgerEntry: 'le',
  oauthClient: 'oac',
  oauthGrant: 'oag',
  audit: 'audit',
  refund: 'refund',
  reconcile: 'recon',
  incident: 'inc',
  request: 'req',
  webhook: 'we',
  delivery: 'dlv',
  plan: 'plan',
  promo: 'promo',
  redemption: 'redeem',
  signUpInvitation: 'suinv',
  invoice: 'invoice',
  refusal: 'refusal',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;
export type Id<K extends IdKind> = `${(typeof ID_PREFIXES)[K]}_${string}`;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_BYTES: Partial<Record<IdKind, number>> = { asset: 20 };
const DEFAULT_RANDOM_BYTES = 10;

// One system call fills many ids: randomFillSync of a few bytes costs more than the rest of newId.
const pool = Buffer.alloc(4096);
let poolOffset = pool.length;

function randomBytesFromPool(size: number): Buffer {
  if (poolOffset + size > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const slice = pool.subarray(poolOffset, poolOffset + size);
  poolOffset += size;
  return slice;
}

function base32(bytes: Uint8Array): string {
  let out = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += ALPHABET[(buffer >> bits) & 31];
    }
  }
  if (bits > 0) out += ALPHABET[(buffer << (5 - bits)) & 31];
  return out;
}

function base32Time(milliseconds: number): string {
  let rest = milliseconds;
  let out = '';
  for (let i = 0; i < 10; i++) {
    out = ALPHABET[rest % 32] + out;
    rest = Math.floor(rest / 32);
  }
  return out;
}

/**
 * Creates an id of the given kind, in Crockford base 32.
 * @param now milliseconds since the epoch; ids sort by it
 * @returns e.g. `call_01k…`: 10 characters of time, 16 of randomness (80 bits; 160 for assets)
 */
export function newId<K extends IdKind>(kind: K, now: number = Date.now()): Id<K> {
  const random = base32(randomBytesFromPool(RANDOM_BYTES[kind] ?? DEFAULT_RANDOM_BYTES));
  return `${ID_PREFIXES[kind]}_${base32Time(now)}${random}` as Id<K>;
}

/** The milliseconds in an id, by the clock of the process that created it; null for other texts. */
export function readIdTime(kind: IdKind, id: string): number | null {
  const [, time] = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})[0-9a-z]+$/.exec(id) ?? [];
  if (time === undefined || !id.startsWith(`${ID_PREFIXES[kind]}_`)) return null;
  return [...time].reduce((sum, digit) => sum * 32 + ALPHABET.indexOf(digit), 0);
}

/** The lower bound of all ids of a kind created from that millisecond on. */
export function lowestIdAt(kind: IdKind, milliseconds: number): string {
  return `${ID_PREFIXES[kind]}_${base32Time(milliseconds)}`;
}
