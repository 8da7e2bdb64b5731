import { findConfinement } from '../confinement/confinement';
import { hasNamespaces } from '../confinement/layers';

// In globalThis because Next bundles this module more than once; the settings are read once.
const processSingleton = globalThis as typeof globalThis & { __toolGatewayUnconfinedSql?: boolean };

/** Called once at startup, because tools do not see the settings. */
export function allowUnconfinedSql(allowed: boolean): void {
  processSingleton.__toolGatewayUnconfinedSql = allowed;
}

/** Whether the operating system keeps worker processes from the gateway's files and secrets. */
export async function areWorkersConfined(): Promise<boolean> {
  return hasNamespaces((await findConfinement()).layer);
}

/** Why callers' SQL must not run in native code here; null if it may (docs/decisions/0037). */
export async function findUnconfinedSql(): Promise<{ reason: string; fix: string } | null> {
  if (processSingleton.__toolGatewayUnconfinedSql || (await areWorkersConfined())) return null;
  return {
    reason: 'This gateway cannot confine the database that runs SQL.',
    fix: 'Give the system what confinement needs (docs/native-code.md), or set UNCONFINED_SQL=1.',
  };
}
