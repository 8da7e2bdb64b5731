import type { LockedStorage } from './store';

const MIB = 1024 * 1024;
/** Storage quota of a provisional account (contract section 3). */
export const PROVISIONAL_QUOTA_BYTES = 20 * MIB;
/** Bounds the cost of counting and listing files, however small they are. */
export const MAX_ASSETS_PER_ACCOUNT = 50_000;

/** Storage quota of an account and what is free of it. */
export interface StorageSpace {
  quotaBytes: number;
  freeBytes: number;
}

/** @param gatewayQuotaMib quota of a claimed account without a quota of its own */
export function getStorageSpace(use: LockedStorage, gatewayQuotaMib: number): StorageSpace {
  const quotaMib = use.quotaMib ?? gatewayQuotaMib;
  const quotaBytes = use.provisional ? Math.min(PROVISIONAL_QUOTA_BYTES, quotaMib * MIB) : quotaMib * MIB;
  const free = use.count >= MAX_ASSETS_PER_ACCOUNT ? 0 : quotaBytes - use.usedBytes;
  return { quotaBytes, freeBytes: Math.max(0, free) };
}

/** `12.5 MiB` */
export function formatMib(bytes: number): string {
  return `${Math.floor((bytes / MIB) * 10) / 10} MiB`;
}
