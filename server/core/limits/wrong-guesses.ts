import { GatewayError } from '../errors/gateway-error';
import { clientNetwork } from './client-subject';
import { policy, rateHeaders } from './rate-headers';

const WINDOW_SECONDS = 60;
/** Beyond these the oldest go: what a flood of addresses can make us keep is bounded. */
const MAX_NETWORKS = 2_000;

interface Window {
  readonly endsAt: number;
  /** Each once: a client that repeats one wrong secret is mistaken, it does not guess. */
  readonly guesses: Set<string>;
}

interface Rule {
  /** The policy's name in headers and errors. */
  name: string;
  /** Different wrong secrets a minute and client network. */
  quota: number;
  /** What there were too many of. */
  message: string;
  /** Seconds, for tests. */
  now?: () => number;
}

/**
 * Counts wrong secrets by client network, in this process. Their 128 bits and more are what keeps them from being guessed;
 * this keeps the guessing from costing us look-ups. Whoever has shown a right one lately is not asked.
 */
export class WrongGuesses {
  readonly #windows = new Map<string, Window>();
  readonly #rule: Required<Rule>;

  constructor(rule: Rule) {
    this.#rule = { now: () => performance.now() / 1000, ...rule };
  }

  /**
   * To be asked before a secret is looked up.
   * @throws GatewayError RATE_LIMIT_EXCEEDED
   */
  refuseGuess(ip: string): void {
    const { name, quota, message } = this.#rule;
    const window = this.#current(clientNetwork(ip));
    if (!window || window.guesses.size < quota) return;
    const seconds = Math.max(1, Math.ceil(window.endsAt - this.#rule.now()));
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message,
      hint: `Wait ${seconds} seconds, and check what you send.`,
      details: { limit: name, retry_after: seconds },
      headers: rateHeaders([policy(name, quota, WINDOW_SECONDS, quota, seconds)]),
    });
  }

  /** @param guess a hash of the secret that was wrong, never the secret */
  count(ip: string, guess: string): void {
    const network = clientNetwork(ip);
    let window = this.#current(network);
    if (!window) {
      window = { endsAt: this.#rule.now() + WINDOW_SECONDS, guesses: new Set() };
      this.#forgetOldest();
      this.#windows.set(network, window);
    }
    if (window.guesses.size < this.#rule.quota) window.guesses.add(guess.slice(0, 16));
  }

  #current(network: string): Window | undefined {
    const window = this.#windows.get(network);
    if (!window || window.endsAt > this.#rule.now()) return window;
    this.#windows.delete(network);
    return undefined;
  }

  /** A map keeps its order of insertion, and windows are of one length: the first is the oldest. */
  #forgetOldest(): void {
    if (this.#windows.size < MAX_NETWORKS) return;
    for (const network of this.#windows.keys()) {
      this.#windows.delete(network);
      return;
    }
  }
}

/** What this process counts: keys at every route that takes them, and claim tokens. */
export class Guesses {
  readonly keys = new WrongGuesses({
    name: 'wrong-keys',
    quota: 100,
    message: 'Too many wrong keys came from this address.',
  });
  readonly claims = new WrongGuesses({
    name: 'wrong-claims',
    quota: 20,
    message: 'Too many wrong claim tokens came from this address.',
  });
}
