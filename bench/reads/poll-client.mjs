// A client that polls jobs. The bench itself makes the measured polls; the many concurrent pollers
// run in another process (crowd.mjs), so that their work does not count as the gateway's.
import { Agent, request } from 'node:http';

/** Seconds that a poll waits. */
export const WAIT_SECONDS = 30;

/** The connections of one account, one per concurrent poll. */
export class PollClient {
  #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  #base;
  #key;
  closed = false;

  /** @param {string} base @param {string} key */
  constructor(base, key) {
    this.#base = base;
    this.#key = key;
  }

  /**
   * Starts a job that runs that long.
   * @param {number} seconds
   * @param {number} [logEverySeconds] interval of its log lines
   * @returns {Promise<string>} its id
   */
  async begin(seconds, logEverySeconds = 1) {
    const input = { seconds, log_every_seconds: logEverySeconds };
    const json = { tool: 'diagnostics', skill: 'sleep', input };
    const body = JSON.parse(await this.#send('POST', '/v1/tools/call', { prefer: 'wait=0' }, json));
    if (!body.job_id) throw new Error(`no job: ${JSON.stringify(body)}`);
    return body.job_id;
  }

  /**
   * @param {string} job @param {number} [seconds] @returns {Promise<string>} unparsed, to save time
   */
  poll(job, seconds = WAIT_SECONDS) {
    return this.#send('GET', `/v1/jobs/${job}`, { prefer: `wait=${seconds}` });
  }

  close() {
    this.closed = true;
    this.#agent.destroy();
  }

  /**
   * @param {string} method @param {string} path
   * @param {Record<string, string>} headers @param {object} [json]
   * @returns {Promise<string>}
   */
  #send(method, path, headers, json) {
    return new Promise((resolve, reject) => {
      const asked = request(
        `${this.#base}${path}`,
        {
          method,
          agent: this.#agent,
          headers: { ...headers, authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve(text));
          response.on('error', reject);
        },
      );
      asked.on('error', reject);
      asked.end(json && JSON.stringify(json));
    });
  }
}
