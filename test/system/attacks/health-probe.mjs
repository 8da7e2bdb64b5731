// Polls /healthz and prints latencies (ms) and failures as JSON when standard input ends. Runs in a
// separate process, so that a busy attacker does not distort the measurement.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const GAP_MS = 50;
const LIMIT_MS = 10_000;

const [, , baseUrl = ''] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
/** @type {number[]} */
const latencies = [];
/** @type {string[]} */
const failures = [];
let stopped = false;
process.stdin.once('end', () => {
  stopped = true;
});
process.stdin.resume();

while (!stopped) {
  const began = performance.now();
  try {
    const status = await poll();
    if (status === 200) latencies.push(performance.now() - began);
    else failures.push(`status ${status}`);
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  }
  await sleep(GAP_MS);
}
agent.destroy();
process.stdout.write(JSON.stringify({ latencies, failures }));

/** @returns {Promise<number | undefined>} */
function poll() {
  return new Promise((resolve, reject) => {
    const sent = get(`${baseUrl}/healthz`, { agent, timeout: LIMIT_MS }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => resolve(response.statusCode));
    });
    sent.once('timeout', () => sent.destroy(new Error(`no response within ${LIMIT_MS} ms`)));
    sent.once('error', reject);
  });
}
