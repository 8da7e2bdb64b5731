/** `report`: a read whose work grows with the history of an account. */
export type ReadKind = 'read' | 'report';

/** Who reads, and a signal that aborts when the client leaves. */
export interface Reader {
  readonly actor: { readonly accountId: string };
  readonly signal: () => AbortSignal;
}

/**
 * Runs the database reads of accounts in turn. They cost no quota, and one account could else leave
 * no connection to the calls of others.
 */
export interface ReadPlaces {
  /**
   * Waits for a place, then reads.
   * @throws GatewayError UNAVAILABLE if too many wait; the signal's reason if the client leaves
   */
  inTurn<Result>(kind: ReadKind, reader: Reader, read: () => Promise<Result>): Promise<Result>;
}
