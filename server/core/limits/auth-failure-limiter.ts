import { GatewayError } from '../errors/gateway-error';
import { clientNetwork } from './client-subject';
import { policy, rateHeaders } from './rate-headers';

const WINDOW_SECONDS = 60;
/** Beyond these the oldest window is evicted, which bounds memory under a flood of addresses. */
const MAX_NETWORKS = 2_000;

interface Window {
  readonly endsAt: number;
  /** Distinct ones: a client that repeats one wrong secret is misconfigured, not guessing. */
  readonly secrets: Set<string>;
}

interface Rule {
  /** The policy's name in headers and errors. */
  name: string;
  /** Distinct wrong secrets per minute and client network. */
  quota: number;
  /** The message of the error. */
  message: string;
  /** A clock in seconds, for tests. */
  now?: () => number;
}

/**
 * Limits wrong secrets per client network, in this process. Secrets of 128 bits or more cannot be
 * guessed; this bounds the database lookups that guesses cause. Callers skip it for secrets that
 * were recently valid.
 */
export class AuthFailureLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #rule: Required<Rule>;

  constructor(rule: Rule) {
    this.#rule = { now: () => performance.now() / 1000, ...rule };
  }

  /**
   * To be called before a secret is looked up.
   * @throws GatewayError RATE_LIMIT_EXCEEDED
   */
  assertAllowed(ip: string): void {
    const { name, quota, message } = this.#rule;
    const window = this.#current(clientNetwork(ip));
    if (!window || window.secrets.size < quota) return;
    const seconds = Math.max(1, Math.ceil(window.endsAt - this.#rule.now()));
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message,
      hint: `Wait ${seconds} seconds, and check the secret that you send.`,
      details: { limit: name, retry_after: seconds },
      headers: rateHeaders([policy(name, quota, WINDOW_SECONDS, quota, seconds)]),
    });
  }

  /** @param guess a hash of the wrong secret, never the secret itself */
  count(ip: string, guess: string): void {
    const network = clientNetwork(ip);
    let window = this.#current(network);
    if (!window) {
      window = { endsAt: this.#rule.now() + WINDOW_SECONDS, secrets: new Set() };
      this.#forgetOldest();
      this.#windows.set(network, window);
    }
    if (window.secrets.size < this.#rule.quota) window.secrets.add(guess.slice(0, 16));
  }

  #current(network: string): Window | undefined {
    const window = this.#windows.get(network);
    if (!window || window.endsAt > this.#rule.now()) return window;
    this.#windows.delete(network);
    return undefined;
  }

  /**
   * A Map iterates in insertion order and all windows have one length, so the first is the oldest.
   */
  #forgetOldest(): void {
    if (this.#windows.size < MAX_NETWORKS) return;
    for (const network of this.#windows.keys()) {
      this.#windows.delete(network);
      return;
    }
  }
}

/** The limiters of this process: for API keys on every route, and for claim tokens. */
export class AuthFailureLimiters {
  readonly keys = new AuthFailureLimiter({
    name: 'wrong-keys',
    quota: 100,
    message: 'Too many invalid API keys from this address.',
  });
  readonly claims = new AuthFailureLimiter({
    name: 'wrong-claims',
    quota: 20,
    message: 'Too many invalid claim tokens from this address.',
  });
}
