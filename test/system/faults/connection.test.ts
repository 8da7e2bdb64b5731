// Faults of the connection between a gateway and its database.
import { setTimeout as sleep } from 'node:timers/promises';
import { testFaults } from './fault-suite';

/** Added latency per round trip. */
const ROUND_TRIP_MS = 500;

testFaults('connection', {
  'refuses connections': {
    async inject({ proxy }) {
      await proxy.refuse();
      await sleep(6_000);
      await proxy.pass();
    },
    wasFelt: ({ refused }) => refused > 0,
  },
  'resets every connection, three times': {
    async inject({ proxy }) {
      for (let times = 0; times < 3; times++) {
        proxy.reset();
        await sleep(700);
      }
    },
    wasFelt: ({ connections }) => connections > 0,
  },
  'sends nothing more': {
    async inject({ proxy }) {
      proxy.hang();
      await sleep(16_000);
      await proxy.pass();
    },
    wasFelt: ({ refused }) => refused > 0,
  },
  'is 500 ms away': {
    async inject({ proxy }) {
      proxy.slow({ latencyMs: ROUND_TRIP_MS / 2 });
      await sleep(6_000);
      await proxy.pass();
    },
    wasFelt: ({ longestMs }) => longestMs >= ROUND_TRIP_MS,
  },
});
