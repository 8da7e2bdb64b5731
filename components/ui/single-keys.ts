'use client';

import { useSyncExternalStore } from 'react';

/** The localStorage key set when single-key shortcuts are off; absent by default. */
const STORAGE_KEY = 'single-keys';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Whether `/`, `?` and `g` plus a letter are enabled. Voice control and tremors press them by
 * accident.
 */
export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Stored in this browser; without storage, the shortcuts stay on. */
export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, 'off');
  } catch {
    // Storage is unavailable.
  }
  for (const listener of listeners) listener();
}

/** The setting as a hook, for a switch. */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, singleKeysOn, () => true);
}
