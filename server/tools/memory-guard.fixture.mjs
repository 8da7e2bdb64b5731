// For memory-guard.test.ts.
import './memory-guard.mjs';

/** Takes memory outside of the JavaScript heap, as a bomb in a document does, until it is stopped. */
export function fillBuffers() {
  const kept = [];
  for (;;) kept.push(Buffer.alloc(8 * 1024 * 1024, 1));
}

export function isAlive() {
  return true;
}
