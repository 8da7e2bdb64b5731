/** What may abort a request, without the cost of an AbortSignal. */
export interface StopSource {
  /** Calls the listener, which must not throw, once. @returns a function that removes it */
  onAbort(listener: (reason: unknown) => void): () => void;
}

/** Options of an outbound request in addition to those of fetch. */
export interface OutboundInit extends RequestInit {
  /** The limit of the response body after decompression; at most and by default 100 MiB. */
  readonly maxBytes?: number;
  /** From the start to the last byte; five minutes by default. */
  readonly timeoutMs?: number;
  /** Aborts the request like `signal`, in addition to it. */
  readonly stop?: StopSource;
}

/**
 * fetch with limits, to the public internet only. Redirects are followed as by fetch, except that
 * no header that may be secret is sent to another origin.
 * @throws SkillError with a message for the caller, also while the body is read; the signal's
 * reason when it aborts
 */
export type OutboundFetch = (input: string | URL | Request, init?: OutboundInit) => Promise<Response>;
