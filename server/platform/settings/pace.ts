/** How often a process does what it does unasked, and how long it lets others take for it. */
export interface Pace {
  /** How often it polls for changes of what open pages show. */
  livePollMs: number;
  /** How often spans are sent to a collector of traces. */
  traceBatchMs: number;
  /** How long a collector may take for a batch; one that hangs holds up only the next batch. */
  traceExportMs: number;
  /** The first wait before a statement of a call is sent again; each later one is twice as long. */
  callRetryMs: number;
  /** How long a call waits for the search for what its tool cannot work without. */
  engineSearchMs: number;
  /** How often the connection that listens must receive a notice of its own process, or is replaced. */
  listenPulseMs: number;
}

/** The pace of every process; tests change it. */
export const PACE: Readonly<Pace> = {
  livePollMs: 1_000,
  traceBatchMs: 2_000,
  traceExportMs: 5_000,
  callRetryMs: 250,
  engineSearchMs: 10_000,
  listenPulseMs: 5_000,
};
