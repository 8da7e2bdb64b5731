// What has stopped, blocked or robbed the gateway before, each as one step that is repeated for as
// long as it is asked to.
import { neverRead, sendRaw } from './requests.mjs';

const HELD_MS = 5_000;
const MANY_BYTES = 200 * 1024 * 1024;
const DEEP_EXPRESSION = deepExpression();

function deepExpression() {
  const tenfold = (/** @type {string} */ name) => `${`${name}(`.repeat(10)}x${')'.repeat(10)}`;
  return `f(x)={a:x};g(x)=${tenfold('f')};h(x)=${tenfold('g')};k(x)=${tenfold('h')};k(k(0))`;
}

const POINTER_SQL =
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM duckdb_settings()'))";

/**
 * @typedef {object} Target
 * @property {string} baseUrl
 * @property {string[]} paying keys of accounts with credit
 * @property {string[]} free keys without an account
 * @property {(path: string) => string} site address of a page of the hostile site
 * @property {boolean} hasBrowser
 */

/**
 * @typedef {object} Attack
 * @property {string} name
 * @property {(target: Target) => Promise<unknown>} step
 * @property {number} [lanes] how many run at once
 */

/**
 * @type {(key: string | undefined, tool: string, skill: string, input: unknown) => (target: Target)
 *   => Promise<unknown>}
 */
const call = (key, tool, skill, input) => (target) =>
  sendRaw(target.baseUrl, '/v1/tools/call', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tool, skill, input }),
  });

/**
 * @type {(index: number, tool: string, skill: string, input: unknown) => (target: Target) =>
 *   Promise<unknown>}
 */
const asPaying = (index, tool, skill, input) => (target) =>
  call(target.paying[index % target.paying.length], tool, skill, input)(target);

/**
 * @type {(index: number, tool: string, skill: string, input: unknown) => (target: Target) =>
 *   Promise<unknown>}
 */
const asFree = (index, tool, skill, input) => (target) =>
  call(target.free[index % target.free.length], tool, skill, input)(target);

/** @type {Attack[]} */
export const ATTACKS = [
  {
    name: 'an answer thousands of levels deep, from an expression',
    step: asFree(0, 'math', 'evaluate', { expression: DEEP_EXPRESSION }),
  },
  {
    name: 'an answer thousands of levels deep, from a script',
    step: asPaying(0, 'code', 'run_javascript', {
      code: 'let x = 0; for (let i = 0; i < 3000; i++) x = { a: x }; return x;',
    }),
  },
  {
    name: 'an upstream that is compressed six times',
    step: (target) => asFree(1, 'image', 'inspect', { image: target.site('/gzip-six-times') })(target),
  },
  {
    name: 'an upstream that is compressed six times, behind a redirect',
    step: (target) => asPaying(1, 'web-reader', 'fetch', { url: target.site('/redirect') })(target),
  },
  {
    name: 'an upstream whose compression is broken, or whose answer stops',
    step: async (target) => {
      await asPaying(1, 'web-reader', 'fetch', { url: target.site('/not-gzip') })(target);
      await asPaying(1, 'web-reader', 'fetch', { url: target.site('/reset') })(target);
    },
  },
  {
    name: 'a query of 7,500 parameters',
    step: ({ baseUrl }) => sendRaw(baseUrl, `/?${'a&'.repeat(7_500)}`),
  },
  {
    name: 'a batch of 1,300 procedures whose answer is not read',
    lanes: 4,
    step: ({ baseUrl }) =>
      neverRead(
        baseUrl,
        `/api/trpc/${Array(1_300).fill('guides.api').join(',')}?batch=1&input=%7B%7D`,
        HELD_MS,
      ),
  },
  {
    name: 'a body of 200 MiB behind a dot segment',
    step: async ({ baseUrl }) => {
      for (const target of ['/stripe-standin/../X', '/stripe-standin/%2e%2e/X', '/dashboard/%2e%2e/v1/keys'])
        await sendRaw(baseUrl, target, { method: 'POST', endlessBytes: MANY_BYTES });
    },
  },
  {
    name: 'scripts that sleep for 30 s and then fail',
    lanes: 8,
    step: asPaying(2, 'code', 'run_javascript', {
      code: 'await new Promise((done) => setTimeout(done, 29000)); throw new Error("no");',
      timeout_seconds: 30,
    }),
  },
  {
    name: 'expressions that only burn processor time',
    lanes: 4,
    step: asFree(2, 'math', 'evaluate', {
      expression: 'sum(map(1:100000, f(x)=sum(map(1:1000, g(y)=y*x))))',
    }),
  },
  {
    name: 'SQL that runs a serialised statement',
    step: asPaying(0, 'data', 'query', { files: [{ file: 'asset_sample_sales' }], sql: POINTER_SQL }),
  },
  {
    name: 'a schema that makes a rejected promise',
    step: asPaying(0, 'data', 'validate', {
      schema: { $async: true, type: 'string' },
      data: 5,
    }),
  },
  {
    name: 'OPTIONS *, and targets that are no address',
    step: async ({ baseUrl }) => {
      await sendRaw(baseUrl, '*', { method: 'OPTIONS' });
      await sendRaw(baseUrl, '/%ff');
      await sendRaw(baseUrl, '/sign-in?callbackUrl=javascript:alert(1)');
    },
  },
];

/** @type {Attack} */
export const BROWSER_ATTACK = {
  name: 'a page that fills the memory of the browser',
  step: (target) => asPaying(3, 'screenshot', 'capture', { url: target.site('/hungry') })(target),
};
