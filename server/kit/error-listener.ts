import type { EventEmitter } from 'node:events';

const ignore = () => undefined;

/**
 * To be called where a stream, socket or request is made: an 'error' event without a listener ends
 * the process. The error still reaches the code that reads, pipes or awaits it.
 */
export function withErrorListener<T extends EventEmitter>(emitter: T): T {
  emitter.on('error', ignore);
  return emitter;
}
