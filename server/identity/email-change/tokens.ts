import { createHash, createHmac, randomBytes } from 'node:crypto';

/** The tokens of the two links of a change. */
export interface ChangeTokens {
  confirm: string;
  undo: string;
}

/** Generates the tokens of a change, of 256 random bits each. */
export function newChangeTokens(secret: string): ChangeTokens {
  const confirm = `emc_${randomBytes(32).toString('base64url')}`;
  return { confirm, undo: deriveUndoToken(secret, confirm) };
}

/** Derived, so that the email after the change can repeat the link: only its hash is stored. */
export function deriveUndoToken(secret: string, confirm: string): string {
  return `emu_${createHmac('sha256', secret).update(`undo-email:${confirm}`).digest('base64url')}`;
}

/** The hash that the database stores. A fast hash is enough: 256 bits cannot be guessed. */
export function hashChangeToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
