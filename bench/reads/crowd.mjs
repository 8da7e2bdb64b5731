// Those who wait for long jobs of their own while others are measured.
import { PollClient, WAIT_SECONDS } from './poll-client.mjs';

const OPENING = 25;

/**
 * @typedef {object} Crowd
 * @property {string} base where the gateway is
 * @property {string[]} keys of as many accounts
 * @property {number} perKey how many wait with each
 * @property {number} seconds how long their jobs run
 */

/** Begins the jobs and waits for each from then on, anew whenever a wait was in vain. @param {Crowd} crowd */
async function gather({ base, keys, perKey, seconds }) {
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
    // They know nothing of each other: without this, those who began together would come back together for ever.
    await client.poll(job, Math.ceil(Math.random() * WAIT_SECONDS));
    for (;;) await client.poll(job);
  };
  // Once the gateway stops there is nothing to wait for.
  poll().catch(() => undefined);
}

process.on('message', (/** @type {{ id: number, argument: Crowd }} */ { id, argument }) => {
  gather(argument).then(
    () => process.send?.({ id, value: null }),
    (error) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: {} });
