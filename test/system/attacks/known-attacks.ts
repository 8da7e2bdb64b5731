// Attacks that once crashed, blocked or robbed the gateway; each is a step that is repeated.
import { type RawAnswer, sendRaw, sendWithoutReading } from './requests';

const HELD_MS = 5_000;
const MANY_BYTES = 200 * 1024 * 1024;
const DEEP_EXPRESSION = createDeepExpression();

function createDeepExpression(): string {
  const tenfold = (name: string) => `${`${name}(`.repeat(10)}x${')'.repeat(10)}`;
  return `f(x)={a:x};g(x)=${tenfold('f')};h(x)=${tenfold('g')};k(x)=${tenfold('h')};k(k(0))`;
}

const POINTER_SQL =
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM duckdb_settings()'))";

export interface Target {
  baseUrl: string;
  /** Keys of accounts with credit. */
  paying: string[];
  /** Unclaimed keys. */
  free: string[];
  /** Returns the URL of a page of the hostile site. */
  site(path: string): string;
  hasBrowser: boolean;
}

export interface Attack {
  name: string;
  /** Runs one round. @returns the response, if it waits for one */
  step(target: Target): Promise<RawAnswer | undefined>;
  /** Number of concurrent rounds. */
  lanes?: number;
}

type Step = Attack['step'];

function callAs(keys: (target: Target) => string[]) {
  return (index: number, tool: string, skill: string, input: unknown): Step =>
    (target) => {
      const all = keys(target);
      return sendRaw(target.baseUrl, '/v1/tools/call', {
        method: 'POST',
        headers: { authorization: `Bearer ${all[index % all.length]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tool, skill, input }),
      });
    };
}

const asPaying = callAs(({ paying }) => paying);
const asFree = callAs(({ free }) => free);

const namesOf = (count: number) => `let o={};for(let i=0;i<${count};i++)o[i.toString(36)]=0;return {o}`;
const MANY_NAMES = namesOf(95_000);
const MOST_NAMES = namesOf(4_900);

const LARGE_RESULT = `${namesOf(4_900).replace('return {o}', '')}return {o,x:'x'.repeat(900000)}`;
const bearer = (key = '') => ({ authorization: `Bearer ${key}` });

const READS = ['/v1/me', '/v1/keys', '/v1/jobs', '/v1/usage?period=all', '/v1/usage/errors?period=all'];
let reads = 0;
const nextRead = () => READS[reads++ % READS.length] as string;

const sendBatch = ({ baseUrl, free, paying }: Target, tool: string, skill: string, input: object) =>
  sendRaw(baseUrl, '/v1/tools/batch', {
    method: 'POST',
    headers: {
      ...bearer(tool === 'hostile' ? free[1] : paying[1]),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ calls: Array.from({ length: 10 }, () => ({ tool, skill, input })) }),
  });

let largeJob: Promise<string> | undefined;

async function startLargeJob({ baseUrl, paying }: Target): Promise<string> {
  const { text } = await sendRaw(baseUrl, '/v1/tools/call', {
    method: 'POST',
    headers: { ...bearer(paying[1]), 'content-type': 'application/json', prefer: 'wait=0' },
    body: JSON.stringify({ tool: 'code', skill: 'run_javascript', input: { code: LARGE_RESULT } }),
  });
  return JSON.parse(text).job_id;
}

export const ATTACKS: Attack[] = [
  {
    name: 'a deeply nested result of an expression',
    step: asFree(0, 'math', 'evaluate', { expression: DEEP_EXPRESSION }),
  },
  {
    name: 'a deeply nested result of a script',
    step: asPaying(0, 'code', 'run_javascript', {
      code: 'let x = 0; for (let i = 0; i < 3000; i++) x = { a: x }; return x;',
    }),
  },
  {
    name: 'an upstream response compressed six times',
    step: (target) => asFree(1, 'image', 'inspect', { image: target.site('/gzip-six-times') })(target),
  },
  {
    name: 'an upstream response compressed six times, behind a redirect',
    step: (target) => asPaying(1, 'web-reader', 'fetch', { url: target.site('/redirect') })(target),
  },
  {
    name: 'an upstream response with broken compression, or cut off',
    step: async (target) => {
      await asPaying(1, 'web-reader', 'fetch', { url: target.site('/not-gzip') })(target);
      await asPaying(1, 'web-reader', 'fetch', { url: target.site('/reset') })(target);
      return undefined;
    },
  },
  {
    name: 'a query string with 7,500 parameters',
    step: ({ baseUrl }) => sendRaw(baseUrl, `/?${'a&'.repeat(7_500)}`),
  },
  {
    name: 'a batch of 1,300 procedures whose response is not read',
    lanes: 4,
    step: async ({ baseUrl }) => {
      const procedures = Array(1_300).fill('guides.api').join(',');
      await sendWithoutReading(baseUrl, `/api/trpc/${procedures}?batch=1&input=%7B%7D`, HELD_MS);
      return undefined;
    },
  },
  {
    name: 'a body of 200 MiB behind a dot segment',
    step: async ({ baseUrl }) => {
      for (const target of ['/fake-stripe/../X', '/fake-stripe/%2e%2e/X', '/dashboard/%2e%2e/v1/keys'])
        await sendRaw(baseUrl, target, { method: 'POST', endlessBytes: MANY_BYTES });
      return undefined;
    },
  },
  {
    name: 'expressions that only consume CPU time',
    lanes: 4,
    step: asFree(2, 'math', 'evaluate', {
      expression: 'sum(map(1:100000, f(x)=sum(map(1:1000, g(y)=y*x))))',
    }),
  },
  {
    name: 'SQL that runs a serialized statement',
    step: asPaying(0, 'data', 'query', { files: [{ file: 'asset_sample_sales' }], sql: POINTER_SQL }),
  },
  {
    name: 'a schema that causes a rejected promise',
    step: asPaying(0, 'data', 'validate', {
      schema: { $async: true, type: 'string' },
      data: 5,
    }),
  },
  {
    name: 'outputs of 95,000 field names, alone and ten in a batch',
    step: async (target) => {
      await asPaying(0, 'code', 'run_javascript', { code: MANY_NAMES })(target);
      return await sendBatch(target, 'code', 'run_javascript', { code: MANY_NAMES });
    },
  },
  {
    name: 'outputs of as many field names as are allowed, ten in a batch',
    step: (target) => sendBatch(target, 'code', 'run_javascript', { code: MOST_NAMES }),
  },
  {
    name: 'a job with a large result, polled without end',
    lanes: 4,
    step: async (target) => {
      largeJob ??= startLargeJob(target);
      return await sendRaw(target.baseUrl, `/v1/jobs/${await largeJob}`, {
        headers: bearer(target.paying[1]),
      });
    },
  },
  {
    name: 'an upstream response in three million pieces',
    lanes: 2,
    step: (target) => asFree(1, 'image', 'inspect', { image: target.site('/one-byte-chunks') })(target),
  },
  {
    name: 'an upstream that sends informational responses without end',
    lanes: 3,
    step: (target) => asFree(2, 'image', 'inspect', { image: target.site('/early-hints') })(target),
  },
  {
    name: 'reads of one account in a hundred loops',
    lanes: 100,
    step: ({ baseUrl, paying }) => sendRaw(baseUrl, nextRead(), { headers: bearer(paying[0]) }),
  },
  {
    name: 'dry runs of one key in a hundred loops',
    lanes: 100,
    step: ({ baseUrl, free }) =>
      sendRaw(baseUrl, '/v1/tools/call', {
        method: 'POST',
        headers: { ...bearer(free[0]), 'content-type': 'application/json' },
        body: JSON.stringify({ tool: 'text', skill: 'stats', input: { text: 'a' }, dry_run: true }),
      }),
  },
  {
    name: 'an imported tool that answers 95,000 field names, ten in a batch',
    step: (target) => sendBatch(target, 'hostile', 'names', {}),
  },
  {
    name: 'a slow pattern of an imported schema, ten in a batch',
    lanes: 3,
    step: (target) => sendBatch(target, 'hostile', 'names', { q: `${'a'.repeat(45)}!` }),
  },
  {
    name: 'OPTIONS *, and targets that are not URLs',
    step: async ({ baseUrl }) => {
      await sendRaw(baseUrl, '*', { method: 'OPTIONS' });
      await sendRaw(baseUrl, '/%ff');
      await sendRaw(baseUrl, '/sign-in?callbackUrl=javascript:alert(1)');
      return undefined;
    },
  },
];

const MAX_SLEEP_SECONDS = 29;

/** @param seconds duration of the attacks */
export function createSleepAttack(seconds: number): Attack {
  // At most half of the duration, because the last responses arrive after it.
  const ms = Math.min(MAX_SLEEP_SECONDS, seconds / 2) * 1000;
  return {
    name: 'scripts that sleep and then fail',
    lanes: 8,
    step: asPaying(2, 'code', 'run_javascript', {
      code: `await new Promise((done) => setTimeout(done, ${ms})); throw new Error("no");`,
      timeout_seconds: 30,
    }),
  };
}

export const BROWSER_ATTACK: Attack = {
  name: 'a page that fills the memory of the browser',
  step: (target) => asPaying(3, 'screenshot', 'capture', { url: target.site('/hungry') })(target),
};
