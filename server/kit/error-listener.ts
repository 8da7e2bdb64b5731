import type { EventEmitter } from 'node:events';

const ignore = () => undefined;

/**
 * Adds an error listener, without which an 'error' event ends the process. Call it where a stream,
 * socket or request is created. The error still reaches the code that reads, pipes or awaits it.
 */
export function withErrorListener<T extends EventEmitter>(emitter: T): T {
  emitter.on('error', ignore);
  return emitter;
}
