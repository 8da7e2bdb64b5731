import type { LockedUse } from './store';

const MIB = 1024 * 1024;
/** What a key without sign-up may keep in all (contract section 3). */
export const PROVISIONAL_QUOTA_BYTES = 20 * MIB;
/** Keeps what is counted and listed bounded, however small the files are. */
export const MAX_ASSETS_PER_ACCOUNT = 50_000;

/** What fits into an account. */
export interface Room {
  quotaBytes: number;
  freeBytes: number;
}

/** @param quotaMib of an account that a person holds */
export function roomOf(use: LockedUse, quotaMib: number): Room {
  const quotaBytes = use.provisional ? Math.min(PROVISIONAL_QUOTA_BYTES, quotaMib * MIB) : quotaMib * MIB;
  const free = use.count >= MAX_ASSETS_PER_ACCOUNT ? 0 : quotaBytes - use.usedBytes;
  return { quotaBytes, freeBytes: Math.max(0, free) };
}

/** `12.5 MiB` */
export function inMib(bytes: number): string {
  return `${Math.floor((bytes / MIB) * 10) / 10} MiB`;
}
