import { afterEach, beforeEach, expect, it } from 'vitest';
import { askBlobStore, askPayments, PORT_ANSWERS, SWITCHES } from '../../testing/hostile-port-answers';
import { watchUncaught } from '../../testing/uncaught';

// Every hostile answer; hostile-ports.test.ts has a few of them, and what must come of single ones.

let uncaught: ReturnType<typeof watchUncaught>;
beforeEach(() => {
  uncaught = watchUncaught();
});
afterEach(() => uncaught.stop());

it('a payment provider that answers with anything fails only what asked it', async () => {
  await askPayments([...PORT_ANSWERS.keys()].filter((name) => name !== SWITCHES));
  expect(uncaught.errors).toEqual([]);
});

it('a blob store that answers with anything fails only what asked it', async () => {
  await askBlobStore([...PORT_ANSWERS.keys()]);
  expect(uncaught.errors).toEqual([]);
});
