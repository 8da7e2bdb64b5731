/** What a request out may ask for beside what fetch knows. */
export interface OutboundInit extends RequestInit {
  /** Of the answer's body, inflated; at most 100 MiB, which is the default. */
  readonly maxBytes?: number;
  /** From the start to the last byte; five minutes by default. */
  readonly timeoutMs?: number;
}

/**
 * fetch, bounded, to the public internet only. Redirects are followed as by fetch, but that nothing which may be a secret
 * goes along to another origin.
 * @throws SkillError in words for the caller, also while the body is read; the signal's reason when it aborts
 */
export type OutboundFetch = (input: string | URL | Request, init?: OutboundInit) => Promise<Response>;
