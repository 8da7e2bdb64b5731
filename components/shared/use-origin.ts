'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The address this page came from, for commands to copy; a placeholder of about its length until the browser knows. */
export function useOrigin(): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => 'http://localhost:3000',
  );
}
