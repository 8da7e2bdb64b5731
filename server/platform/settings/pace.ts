/** Intervals of background work, and timeouts for what it waits for. */
export interface Pace {
  /** How often open pages are polled for changes. */
  livePollMs: number;
  /** How often spans are exported. */
  traceBatchMs: number;
  /** The timeout of an export; a collector that hangs delays only the next batch. */
  traceExportMs: number;
  /** The delay before a statement of a call is retried; it doubles with each retry. */
  callRetryMs: number;
  /** How long a call waits for the detection of a program that its tool needs. */
  engineSearchMs: number;
  /** How often the LISTEN connection must receive its own notification, or is replaced. */
  listenPulseMs: number;
  /** How often a queue polls without a notice, and its delay after an error. */
  queuePollMs: number;
  /** How long a call that was lost twice may stop a process from taking others. */
  aloneMs: number;
}

/** The default pace; tests use others. */
export const PACE: Readonly<Pace> = {
  livePollMs: 1_000,
  traceBatchMs: 2_000,
  traceExportMs: 5_000,
  callRetryMs: 250,
  engineSearchMs: 10_000,
  listenPulseMs: 5_000,
  queuePollMs: 2_000,
  aloneMs: 30_000,
};
