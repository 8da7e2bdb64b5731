import { createHash, randomBytes } from 'node:crypto';
import { RECOVERY_CODE_COUNT } from './limits';

/** 80 bits cannot be guessed: a fast hash is enough. */
const CODE_BYTES = 10;
/** Base32 of Crockford: no letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Generates codes such as `4f7k-9w2m-x8qc-h3rt`, with the hashes to store. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newCode);
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** Case, spaces and hyphens do not matter. */
export function hashRecoveryCode(code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, '');
  return createHash('sha256').update(`recovery:${plain}`).digest('hex');
}

function newCode(): string {
  let bits = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  let text = '';
  for (let i = 0; i < (CODE_BYTES * 8) / 5; i++) {
    text += ALPHABET[Number(bits & 31n)];
    bits >>= 5n;
  }
  return text.replace(/(.{4})(?=.)/g, '$1-');
}
