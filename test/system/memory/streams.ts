// A thousand concurrent streams, together with large uploads.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

const STREAMS = 1000;
const UPLOADS = 16;
const UPLOAD_BYTES = 8 * 1024 * 1024;
/** If opening all streams takes longer, they run again, each time twice as long. */
const FIRST_STREAM_SECONDS = 4;
const MAX_STREAM_SECONDS = 64;
const BOUNDARY = 'memory-test-streams';

interface Client {
  baseUrl: string;
  key: string;
  agent: Agent;
}

interface StreamTimes {
  opened: number;
  ended: number;
  problem: string;
}

/**
 * Runs all streams and uploads, and repeats if a stream ended before all were open.
 * @returns problems: streams without a result and uploads that were not stored
 */
export async function runStreams(baseUrl: string, key: string): Promise<string[]> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  try {
    for (let seconds = FIRST_STREAM_SECONDS; seconds <= MAX_STREAM_SECONDS; seconds *= 2) {
      const { problems, together } = await runOnce({ baseUrl, key, agent }, seconds);
      if (together || problems.length > 0) return problems;
    }
    return [`${STREAMS} streams were never open at the same time`];
  } finally {
    agent.destroy();
  }
}

async function runOnce(client: Client, seconds: number): Promise<{ problems: string[]; together: boolean }> {
  const [streams, uploads] = await Promise.all([
    Promise.all(Array.from({ length: STREAMS }, () => openStream(client, seconds))),
    Promise.all(Array.from({ length: UPLOADS }, () => upload(client))),
  ]);
  const problems = [...streams.map(({ problem }) => problem), ...uploads].filter((problem) => problem !== '');
  const lastOpened = Math.max(...streams.map(({ opened }) => opened));
  const firstEnded = Math.min(...streams.map(({ ended }) => ended));
  return { problems: [...new Set(problems)], together: lastOpened < firstEnded };
}

async function openStream(client: Client, seconds: number): Promise<StreamTimes> {
  const body = JSON.stringify({ tool: 'diagnostics', skill: 'sleep', input: { seconds } });
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  let opened = Number.POSITIVE_INFINITY;
  const text = await post(client, '/v1/tools/call', headers, body, () => {
    opened = performance.now();
  });
  const problem = text.includes('event: result') ? '' : `a stream ended with ${text.slice(-300)}`;
  return { opened, ended: performance.now(), problem };
}

/** Uploads a file. @returns the problem, or an empty string if it was stored completely */
async function upload(client: Client): Promise<string> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="some.bin"\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head),
    randomBytes(UPLOAD_BYTES),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const text = await post(client, '/v1/assets/upload', headers, body);
  return text.includes(`"size_bytes":${UPLOAD_BYTES}`) ? '' : `an upload returned ${text.slice(0, 300)}`;
}

/** Posts a request. @returns the body of the response, or the error */
function post(
  { baseUrl, key, agent }: Client,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
  onResponse: () => void = () => undefined,
): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      baseUrl + path,
      {
        method: 'POST',
        agent,
        headers: {
          ...headers,
          authorization: `Bearer ${key}`,
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        onResponse();
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.once('close', () => resolve(text));
      },
    );
    sent.once('error', (error) => resolve(String(error)));
    sent.end(body);
  });
}
