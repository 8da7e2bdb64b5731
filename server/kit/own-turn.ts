import { setImmediate } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no one else got from here. One end wakes hundreds who wait for the same
 * answer; each writes up to 2 MiB of JSON, and others are served between them.
 */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}
