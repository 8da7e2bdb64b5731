import { expect, it } from 'vitest';
import { Liveness } from './liveness.mjs';

it('a process is hung after six missed heartbeats in a row, and one heartbeat is enough to live', () => {
  const liveness = new Liveness();
  const record = (times: number, alive: boolean) => {
    for (let at = 0; at < times; at += 1) liveness.record(alive);
  };
  record(5, false);
  record(1, true);
  record(5, false);
  expect(liveness.isHung).toBe(false);
  record(1, false);
  expect(liveness.isHung).toBe(true);
});
