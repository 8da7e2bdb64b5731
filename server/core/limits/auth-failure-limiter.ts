import { WindowMap } from '../../kit/window-map';
import { GatewayError } from '../errors/gateway-error';
import { clientNetwork } from './client-subject';
import { policy, rateHeaders } from './rate-headers';

const WINDOW_SECONDS = 60;
/** Beyond these the oldest window is evicted, which bounds memory under a flood of addresses. */
const MAX_NETWORKS = 2_000;

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
  /** Distinct ones: a client that repeats one wrong secret is misconfigured, not guessing. */
  readonly #secrets: WindowMap<Set<string>>;
  readonly #rule: Rule;

  constructor(rule: Rule) {
    this.#rule = rule;
    const bounds = { seconds: WINDOW_SECONDS, most: MAX_NETWORKS };
    this.#secrets = new WindowMap(() => new Set<string>(), bounds, rule.now);
  }

  /**
   * To be called before a secret is looked up.
   * @throws GatewayError RATE_LIMIT_EXCEEDED
   */
  assertAllowed(ip: string): void {
    const { name, quota, message } = this.#rule;
    const network = clientNetwork(ip);
    if ((this.#secrets.find(network)?.size ?? 0) < quota) return;
    const seconds = this.#secrets.secondsLeft(network);
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message,
      hint: `Wait ${seconds} seconds, and check the secret that you send.`,
      details: { limit: name, retry_after: seconds },
      headers: rateHeaders([policy(name, quota, WINDOW_SECONDS, quota, seconds)]),
    });
  }

  /** @param guess a hash of the wrong secret, never the secret itself */
  count(ip: string, guess: string): void {
    const secrets = this.#secrets.open(clientNetwork(ip));
    if (secrets.size < this.#rule.quota) secrets.add(guess.slice(0, 16));
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
