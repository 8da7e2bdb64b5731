/** What a saved value is bound to: moved to another account, slot, row or version it does not open. */
export function savedContext(row: { accountId: string; slot: string; id: string; version: number }): string {
  return `credential:${row.accountId}:${row.slot}:${row.id}:${row.version}`;
}

/** What the client's own key of a queued call is bound to. */
export function queuedContext(callId: string): string {
  return `queued-call:${callId}`;
}
