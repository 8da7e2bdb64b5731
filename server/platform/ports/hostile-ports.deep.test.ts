import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchUncaught } from '@/test/support/uncaught';
import { callBlobStore, callPayments, PORT_ANSWERS, SWITCHES } from './testing/hostile-port-responses';

// Every hostile response; hostile-ports.test.ts has a few, and the expected results of single ones.

let uncaught: ReturnType<typeof watchUncaught>;
beforeEach(() => {
  uncaught = watchUncaught();
});
afterEach(() => uncaught.stop());

it('an arbitrary response of the payment provider fails only its request @F15', async () => {
  await callPayments([...PORT_ANSWERS.keys()].filter((name) => name !== SWITCHES));
  expect(uncaught.errors).toEqual([]);
});

it('an arbitrary response of the blob store fails only its request @F15', async () => {
  await callBlobStore([...PORT_ANSWERS.keys()]);
  expect(uncaught.errors).toEqual([]);
});
