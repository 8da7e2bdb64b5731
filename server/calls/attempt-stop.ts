/**
 * What ends an attempt before its time: deadline, cancel, shutdown. The AbortSignal is made when the handler asks for
 * it: most never do, and a controller is dear to make and to abort.
 */
export class AttemptStop {
  #controller: AbortController | undefined;
  #stopped = false;
  #ended = false;
  #reason: unknown;
  #onStop: (() => void) | undefined;

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Whether the attempt is over, however it ended: what its handler still says is not heard. */
  get ended(): boolean {
    return this.#ended;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#stopped) this.#controller.abort(this.#reason ?? new Error('The call has ended'));
    }
    return this.#controller.signal;
  }

  /** Asks the handler to stop; the first reason counts. */
  stop(reason: unknown): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#reason = reason;
    this.#onStop?.();
    this.#controller?.abort(reason);
  }

  /** Told when it is asked to stop, or at once where it was already. */
  onStop(tell: () => void): void {
    if (this.#stopped) tell();
    else this.#onStop = tell;
  }

  /** The attempt is over: whatever the handler left running must not outlive it. Nobody is told any more. */
  end(): void {
    this.#ended = true;
    this.#onStop = undefined;
    this.stop(this.#controller && new Error('The call has ended'));
  }
}
