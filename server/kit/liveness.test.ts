import { expect, it } from 'vitest';
import { Liveness } from './liveness.mjs';

function record(liveness: Liveness, times: number, alive: boolean) {
  for (let at = 0; at < times; at += 1) liveness.record(alive);
}

it('a process is hung after six missed heartbeats in a row, and one heartbeat is enough to live @E28', () => {
  const liveness = new Liveness();
  record(liveness, 5, false);
  record(liveness, 1, true);
  record(liveness, 5, false);
  expect(liveness.isHung).toBe(false);
  record(liveness, 1, false);
  expect(liveness.isHung).toBe(true);
});

it('a process that starts is hung after thirty, and after six once it is ready', () => {
  const liveness = new Liveness();
  liveness.markStarting();
  record(liveness, 29, false);
  expect(liveness.isHung).toBe(false);
  record(liveness, 1, false);
  expect(liveness.isHung).toBe(true);
  record(liveness, 1, true);
  liveness.markReady();
  record(liveness, 6, false);
  expect(liveness.isHung).toBe(true);
});
