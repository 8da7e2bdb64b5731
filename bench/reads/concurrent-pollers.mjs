// Concurrent pollers that wait for long jobs of their own during the measurement.
import { PollClient, WAIT_SECONDS } from './poll-client.mjs';

const OPENING = 25;

/**
 * @typedef {object} Crowd
 * @property {string} base URL of the gateway
 * @property {string[]} keys one per account
 * @property {number} perKey pollers per key
 * @property {number} seconds how long their jobs run
 */

/** Starts the jobs and polls each one continuously. @param {Crowd} crowd */
async function startPollers({ base, keys, perKey, seconds }) {
  for (const key of keys) {
    const client = new PollClient(base, key);
    for (let left = perKey; left > 0; left -= OPENING)
      await Promise.all(Array.from({ length: Math.min(left, OPENING) }, () => waitFor(client, seconds)));
  }
}

/** @param {PollClient} client @param {number} seconds */
async function waitFor(client, seconds) {
  const job = await client.begin(seconds, 60);
  const poll = async () => {
    // Spread the first polls: otherwise pollers that started together would return together each
    // time.
    await client.poll(job, Math.ceil(Math.random() * WAIT_SECONDS));
    for (;;) await client.poll(job);
  };
  // Polls fail when the gateway stops, which ends the waiting.
  poll().catch(() => undefined);
}

process.on('message', (/** @type {{ id: number, argument: Crowd }} */ { id, argument }) => {
  startPollers(argument).then(
    () => process.send?.({ id, value: null }),
    (error) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ serves: {} });
