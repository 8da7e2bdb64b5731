import type { StopSource } from '../../platform/ports/outbound-fetch';

/**
 * Stops an attempt early: at its deadline, on cancel or on shutdown. The AbortController is created
 * only when the handler reads its signal, because creating and aborting one is slow.
 */
export class AttemptStop implements StopSource {
  #controller: AbortController | undefined;
  #stopped = false;
  #ended = false;
  #reason: unknown;
  #onStop: (() => void) | undefined;
  /** Of the requests that are under way. */
  readonly #onAbort = new Set<(reason: unknown) => void>();

  get stopped(): boolean {
    return this.#stopped;
  }

  /** True once the attempt has ended; reports of its handler are then ignored. */
  get ended(): boolean {
    return this.#ended;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#stopped) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Requests that the handler stop. Only the first reason is recorded. */
  stop(reason: unknown): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#reason = reason;
    this.#onStop?.();
    for (const listener of this.#onAbort) listener(reason);
    this.#onAbort.clear();
    this.#controller?.abort(reason);
  }

  /** Calls the listener on stop, or at once if already stopped. */
  onStop(listener: () => void): void {
    if (this.#stopped) listener();
    else this.#onStop = listener;
  }

  /** Calls the listener on stop and at the end, or at once. @returns a function that removes it */
  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.#stopped) {
      listener(this.#reason);
      return () => undefined;
    }
    this.#onAbort.add(listener);
    return () => this.#onAbort.delete(listener);
  }

  /** Ends the attempt: aborts what the handler left running and drops the listener. */
  end(): void {
    this.#ended = true;
    this.#onStop = undefined;
    this.stop(CALL_ENDED);
  }
}

/** Created once, because collecting a stack for each call is slow. */
const CALL_ENDED = new Error('The call has ended');
