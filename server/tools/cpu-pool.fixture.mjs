// Bad and good citizens of a worker thread, for cpu-pool.test.ts.

/** @param {{ a: number, b: number }} payload */
export function add({ a, b }) {
  return a + b;
}

/** @returns {never} */
export function loopForever() {
  for (;;);
}

/** Backtracks for longer than the universe is old. */
export function matchCatastrophically() {
  return /^(a+)+$/.test(`${'a'.repeat(60)}!`);
}

export function fillMemory() {
  const kept = [];
  for (;;) kept.push(new Array(100_000).fill('x'));
}

export function environmentNames() {
  return Object.keys(process.env);
}

/** @returns {never} */
export function fail() {
  throw new RangeError('as told');
}
