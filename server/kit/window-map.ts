/** A window of one subject. */
interface Window<State> {
  readonly state: State;
  /** On the clock of the map. */
  readonly endsAt: number;
}

/**
 * What is counted of each subject in a window that begins with its first count. Beyond the bound
 * the oldest window is evicted.
 */
export class WindowMap<State> {
  readonly #windows = new Map<string, Window<State>>();
  readonly #create: () => State;
  readonly #bounds: { seconds: number; most: number };
  readonly #now: () => number;

  /** @param now a clock in seconds */
  constructor(
    create: () => State,
    bounds: { seconds: number; most: number },
    now = () => performance.now() / 1000,
  ) {
    this.#create = create;
    this.#bounds = bounds;
    this.#now = now;
  }

  /** What is counted of the subject; undefined if it has no window. */
  find(subject: string): State | undefined {
    const window = this.#windows.get(subject);
    return window && window.endsAt > this.#now() ? window.state : undefined;
  }

  /** The same, in a new window if it has none. */
  open(subject: string): State {
    const found = this.find(subject);
    if (found) return found;
    const state = this.#create();
    // Moved to the end: all windows have one length, so the first ends first.
    this.#windows.delete(subject);
    this.#windows.set(subject, { state, endsAt: this.#now() + this.#bounds.seconds });
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > this.#bounds.most && oldest !== undefined) this.#windows.delete(oldest);
    return state;
  }

  /** Whole seconds until the window of the subject ends, at least one. */
  secondsLeft(subject: string): number {
    return Math.max(1, Math.ceil((this.#windows.get(subject)?.endsAt ?? 0) - this.#now()));
  }
}
