import { Agent, request } from 'node:http';
import type { TestGateway } from '../../scripts/testing/gateway.mjs';
import { type Timed, timed } from './timing';

const MEASURED = 300;
const JOB_SECONDS = 0.4;
/** How many of the measured jobs run at once. */
const AT_ONCE = 4;
const LONG_SECONDS = 300;
const OPENING = 50;
/** "a poll answered within 10 ms p99 of completion with 1,000 waiting" */
const MOST_MS = 10;

/** The gateway lets so many of one account wait in a process, and some more. */
const WAITING_PER_ACCOUNT = 100;

/** How late a poll is answered after its job has ended, while that many others wait for jobs of their own. */
export async function measurePolls(gateway: TestGateway, waiting: number): Promise<Timed[]> {
  const clients: Client[] = [];
  for (let n = 0; n <= Math.ceil(waiting / WAITING_PER_ACCOUNT); n++) {
    const { api_key: key } = await gateway.admin('account', 'create', '--email', `polls-${n}@example.test`);
    clients.push(new Client(gateway.baseUrl, key));
  }
  const [measured, ...others] = clients;
  if (!measured) throw new Error('There is at least one');
  try {
    const jobs: { client: Client; job: string }[] = [];
    for (const client of others)
      for (let left = WAITING_PER_ACCOUNT; left > 0; left -= OPENING) {
        const opened = Array.from({ length: OPENING }, () => client.begin(LONG_SECONDS));
        jobs.push(...(await Promise.all(opened)).map((job) => ({ client, job })));
      }
    const pollers = jobs.slice(0, waiting).map(async ({ client, job }) => {
      while (!client.closed) await client.poll(job).catch(() => undefined);
    });
    const late: number[] = [];
    const lane = async () => {
      while (late.length < MEASURED) late.push(await measured.lateness(JOB_SECONDS));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    for (const client of clients) client.close();
    await Promise.all(pollers);
    return [timed(`poll of a job, after its end, beside ${waiting} waiting polls`, late, MOST_MS)];
  } finally {
    for (const client of clients) client.close();
  }
}

class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  readonly #base: string;
  readonly #key: string;
  closed = false;

  constructor(base: string, key: string) {
    this.#base = base;
    this.#key = key;
  }

  /** Begins a job that runs so long; @returns its id */
  async begin(seconds: number): Promise<string> {
    const json = { tool: 'diagnostics', skill: 'sleep', input: { seconds } };
    const body = await this.#send('POST', '/v1/tools/call', { prefer: 'wait=0' }, json);
    if (!body.job_id) throw new Error(`no job: ${JSON.stringify(body)}`);
    return body.job_id;
  }

  poll(job: string) {
    return this.#send('GET', `/v1/jobs/${job}`, { prefer: 'wait=30' });
  }

  /** Milliseconds from the end of a job, as the database dates it, to its answer here. */
  async lateness(seconds: number): Promise<number> {
    const job = await this.poll(await this.begin(seconds));
    const now = performance.timeOrigin + performance.now();
    if (job.status !== 'completed') throw new Error(`The job is ${job.status}`);
    return now - Date.parse(job.finished_at);
  }

  close(): void {
    this.closed = true;
    this.#agent.destroy();
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  #send(method: string, path: string, headers: Record<string, string>, json?: object): Promise<any> {
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
          response.on('end', () => resolve(JSON.parse(text)));
          response.on('error', reject);
        },
      );
      asked.on('error', reject);
      asked.end(json && JSON.stringify(json));
    });
  }
}
