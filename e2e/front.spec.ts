import fc from 'fast-check';
import { exchange } from '@/test/support/raw-socket';
import { parseTarget } from '../server/main/boot/request-target';
import { baseUrl, expect, test } from './support/fixtures';

// Compares how the front and the production build of Next interpret a path.

const { port, host } = { port: () => Number(new URL(baseUrl()).port), host: () => new URL(baseUrl()).host };
const RUNS = 250;

async function requestTarget(target: string) {
  const { text, statuses } = await exchange(port(), [
    // A program would get an Error object where no page is.
    `GET ${target} HTTP/1.1\r\nHost: ${host()}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
  ]);
  const [head = ''] = text.split('\r\n\r\n', 1);
  return {
    status: statuses[0],
    isApi: /^access-control-allow-origin: \*/im.test(head),
    isPage: /^permissions-policy: /im.test(head),
  };
}

const piece = fc.constantFrom(
  ...[
    'v1',
    'tools',
    'docs',
    'api',
    'trpc',
    'fake-stripe',
    'dashboard',
    'healthz',
    'mcp',
    'openapi.json',
    'files',
  ],
  ...[
    '.',
    '..',
    '%2e',
    '%2e%2e',
    '%252e',
    '\\',
    '%2f',
    '%5c',
    '%252f',
    '%76',
    '%61pi',
    '%25',
    '//',
    '/./',
    '/../',
  ],
  ...[
    '.rsc',
    '.json',
    '.txt',
    '_next',
    'data',
    '_next/data/x',
    '.segments',
    ';',
    ':',
    '@',
    '[tool]',
    '%5B',
    '$',
    '(site)',
  ],
);
const hostilePath = fc
  .array(fc.oneof({ weight: 3, arbitrary: piece }, { weight: 2, arbitrary: fc.constant('/') }), {
    maxLength: 8,
  })
  .map((pieces) => `/${pieces.join('')}`);

test('the front and Next classify every path the same way @F3', async () => {
  const runs = fc.asyncProperty(hostilePath, async (path) => {
    const target = parseTarget(path);
    const { status, isApi, isPage } = await requestTarget(path);
    if ('status' in target) expect([status, isApi, isPage]).toEqual([target.status, false, false]);
    else expect([isApi, isPage]).toEqual([target.kind === 'api', target.kind === 'page']);
  });
  await fc.assert(runs, { numRuns: RUNS });
});

test('no callbackUrl makes next-auth fail, in the URL or in its cookie', async ({ request }) => {
  for (const callback of ['javascript:alert(1)', 'data:text/html,x', 'dashboard', 'http://', '//']) {
    const answer = await request.get(`/api/auth/csrf?callbackUrl=${encodeURIComponent(callback)}`);
    expect(answer.status(), callback).toBe(200);
    const cookie = `next-auth.callback-url=${encodeURIComponent(callback)}`;
    expect((await request.get('/api/auth/csrf', { headers: { cookie } })).status(), callback).toBe(200);
  }
});
