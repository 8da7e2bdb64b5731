import { Readable } from 'node:stream';
import { InputError, SkillError } from '../../core/errors/skill-error';
import { guarded } from '../../kit/guarded';
import { toOutboundError } from './outbound-failure';
import type { StopSource } from './outbound-fetch';

/**
 * The time limit of one request, up to the last byte of its response, and the caller's aborts. Its
 * AbortController is created only if `signal` is read, because creating and aborting one is slow.
 */
export class OutboundDeadline {
  readonly #timer: NodeJS.Timeout;
  readonly #callerSignal: AbortSignal | undefined;
  readonly #onSignal: () => void;
  readonly #removeStop: (() => void) | undefined;
  #callerAbort: { reason: unknown } | undefined;
  readonly #timeoutMs: number;
  #controller: AbortController | undefined;
  #onAbort: ((reason: unknown) => void) | undefined;
  #aborted: { reason: unknown } | undefined;
  #late = false;

  constructor(timeoutMs: number, asked: AbortSignal | undefined, stop?: StopSource) {
    this.#timeoutMs = timeoutMs;
    this.#callerSignal = asked;
    this.#onSignal = () => this.#abortForCaller(asked?.reason);
    if (asked?.aborted) this.#onSignal();
    // Cannot throw: it aborts a controller of ours, whose listeners raise nothing
    asked?.addEventListener('abort', this.#onSignal, { once: true });
    this.#removeStop = stop?.onAbort((reason) => this.#abortForCaller(reason));
    this.#timer = setTimeout(
      guarded(() => {
        this.#late = true;
        this.#abort(new Error('Out of time'));
      }),
      timeoutMs,
    );
    this.#timer.unref();
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    return this.#controller.signal;
  }

  /** Set once the request was aborted, by the caller or by the time limit. */
  get aborted(): { reason: unknown } | undefined {
    return this.#aborted;
  }

  /** Calls the listener, which must not throw, on abort. A request has one at a time. */
  onAbort(listener: (reason: unknown) => void): void {
    this.#onAbort = listener;
  }

  #abortForCaller(reason: unknown): void {
    this.#callerAbort ??= { reason };
    this.#abort(reason);
  }

  #abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = { reason };
    this.#onAbort?.(reason);
    this.#controller?.abort(reason);
  }

  /** Stops the timer: the response is complete, or no longer wanted. */
  end(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#onSignal);
    this.#removeStop?.();
  }

  /**
   * Ends, and returns what to throw: the caller's abort reason, or an error with a message for it.
   */
  reasonFor(error: unknown, host: string): unknown {
    this.end();
    if (this.#callerAbort) return this.#callerAbort.reason;
    if (this.#late)
      return new SkillError(`${host} did not finish its response within ${this.#timeoutMs / 1000} s.`);
    return toOutboundError(error, host);
  }

  stop(): void {
    this.#abort(new Error('No longer wanted'));
    this.end();
  }
}

/** A source of bytes that are read on demand. */
export interface ByteSource {
  read(): Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>;
  /** Discards the rest; never fails. */
  cancel(): void;
}

export function toByteSource(body: ReadableStream<Uint8Array> | Readable): ByteSource {
  if (body instanceof Readable) {
    const bytes = body.iterator();
    return { read: () => bytes.next(), cancel: () => void body.destroy() };
  }
  const reader = body.getReader();
  return { read: () => reader.read(), cancel: () => void reader.cancel().catch(() => undefined) };
}

/** A response body (decompressed) that fails past its size or time limit. It is read on demand. */
export function limitBody(
  source: ByteSource,
  { maxBytes, deadline, host }: { maxBytes: number; deadline: OutboundDeadline; host: string },
): ReadableStream<Uint8Array> {
  let bytes = 0;
  const fail = (controller: ReadableStreamDefaultController, error: unknown) => {
    controller.error(deadline.reasonFor(error, host));
    deadline.stop();
    source.cancel();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await source.read();
          if (done || !value) {
            deadline.end();
            controller.close();
            return;
          }
          bytes += value.byteLength;
          if (bytes > maxBytes)
            return fail(
              controller,
              new InputError(`The response of ${host} is larger than ${formatSize(maxBytes)}.`),
            );
          controller.enqueue(value);
        } catch (error) {
          fail(controller, error);
        }
      },
      async cancel() {
        deadline.stop();
        source.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}

export function formatSize(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}
