/**
 * Binds a saved value to its account, provider, row and version: moved elsewhere, it cannot be
 * decrypted.
 */
export function savedContext(row: { accountId: string; slot: string; id: string; version: number }): string {
  return `credential:${row.accountId}:${row.slot}:${row.id}:${row.version}`;
}

/** Binds a queued call's key to the call. */
export function queuedContext(callId: string): string {
  return `queued-call:${callId}`;
}
