import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { listProcedures } from '@/test/support/list-procedures';
import { hashSessionToken, sessionCookieName } from '../../identity/sessions/session-token';
import { handleTrpc } from './handler';

/** Public procedures: they return public data, or data of the holder of a secret in the input. */
const OPEN = [
  'assets.download',
  'assets.meta',
  'assets.page',
  'auth.claimPreview',
  'auth.provision',
  'billing.quote',
  'billing.terms',
  'guides.api',
  'guides.comparison',
  'guides.comparisons',
  'guides.find',
  'guides.list',
  'guides.search',
  'receipts.keys',
  'requirements.list',
  'reviews.ofTool',
  'security.completeSignIn',
  'security.confirmEmailChange',
  'security.previewEmailChange',
  'security.undoEmailChange',
  'status.get',
  'teams.previewInvitation',
  'tools.get',
  'tools.list',
  'tools.search',
  'tools.skills',
];
const MIDDLEWARE = { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' };
const procedures = listProcedures();

let harness: Harness;
let cookie: string;
/** Of a sign-in that still needs the second factor. */
let halfCookie: string;
let key: string;
beforeAll(async () => {
  harness = await startHarness();
  const person = await harness.person();
  key = person.key;
  const token = randomBytes(32).toString('hex');
  await harness.runtime.sql`insert into sessions (session_token, user_id, expires)
    values (${hashSessionToken(token)}, ${person.userId}, now() + interval '1 hour')`;
  const half = randomBytes(32).toString('hex');
  await harness.runtime.sql`insert into sessions (session_token, user_id, expires, factor_due)
    values (${hashSessionToken(half)}, ${person.userId}, now() + interval '1 hour', true)`;
  const name = sessionCookieName(harness.runtime.settings.baseUrl);
  cookie = `${name}=${token}`;
  halfCookie = `${name}=${half}`;
});
afterAll(() => harness.close());

const ORIGIN = 'http://gateway.test';
function send(name: string, method: 'GET' | 'POST', headers: Record<string, string>, body = '{}') {
  const query = method === 'GET' ? '?input=%7B%7D' : '';
  return handleTrpc(
    new Request(`${ORIGIN}/api/trpc/${name}${query}`, {
      method,
      headers,
      ...(method === 'POST' ? { body } : {}),
    }),
    harness.runtime,
  );
}
const ask = (name: string, type: 'query' | 'mutation', headers: Record<string, string>) =>
  type === 'query'
    ? send(name, 'GET', headers)
    : send(name, 'POST', { origin: ORIGIN, 'content-type': 'application/json', ...headers });

describe('the dashboard', () => {
  it('requires a complete session in every procedure, whatever a middleware header claims @B20 @F23', async () => {
    const unasked: string[] = [];
    for (const { name, type } of procedures)
      for (const headers of [
        {},
        MIDDLEWARE,
        { ...MIDDLEWARE, authorization: `Bearer ${key}` },
        { cookie: halfCookie },
      ]) {
        const response = await ask(name, type, headers);
        // For non-operators, these procedures do not exist.
        const hidden = name.startsWith('operator.') && response.status === 404;
        if (response.status !== 401 && !hidden) unasked.push(name);
      }
    expect([...new Set(unasked)].sort()).toEqual([...OPEN].sort());
    // Control: it works with the session.
    expect((await ask('auth.viewer', 'query', { cookie, ...MIDDLEWARE })).status).toBe(200);
  });

  it('has no middleware that could be bypassed @B20', () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    for (const name of ['middleware', 'proxy', 'src/middleware', 'src/proxy'])
      for (const end of ['ts', 'js', 'mjs', 'tsx'])
        expect(existsSync(`${root}${name}.${end}`), name).toBe(false);
  });

  it('accepts no mutation by GET, as a form, as text, or from another origin @B15', async () => {
    const { sql } = harness.runtime;
    const count = async () => (await sql`select count(*)::int as n from api_keys`)[0]?.n;
    const before = await count();
    for (const { name, type } of procedures) {
      if (type !== 'mutation') continue;
      const refused = [
        [405, await send(name, 'GET', { cookie })],
        [415, await send(name, 'POST', { cookie, origin: ORIGIN, 'content-type': 'text/plain' })],
        [
          415,
          await send(name, 'POST', {
            cookie,
            origin: ORIGIN,
            'content-type': 'application/x-www-form-urlencoded',
          }),
        ],
        [
          415,
          await send(name, 'POST', {
            cookie,
            origin: ORIGIN,
            'content-type': 'multipart/form-data; boundary=b',
          }),
        ],
        [
          403,
          await send(name, 'POST', {
            cookie,
            origin: 'https://evil.example',
            'content-type': 'application/json',
          }),
        ],
        [403, await send(name, 'POST', { cookie, origin: 'null', 'content-type': 'application/json' })],
        [403, await send(name, 'POST', { cookie, 'content-type': 'application/json' })],
      ] as const;
      for (const [status, response] of refused) expect(response.status, name).toBe(status);
    }
    expect(await count()).toBe(before);
    // Control: it works from our own page.
    expect((await ask('keys.create', 'mutation', { cookie })).status).toBe(200);
    expect(await count()).toBe(before + 1);
  });

  it('lets no page of another origin read a response @B16', async () => {
    for (const { name, type } of procedures) {
      if (type !== 'query') continue;
      const response = await send(name, 'GET', { cookie, origin: 'https://evil.example' });
      const allowed = [...response.headers].filter(([header]) => header.startsWith('access-control'));
      expect(allowed, name).toEqual([]);
    }
    expect((await send('auth.viewer', 'GET', { cookie, origin: 'https://evil.example' })).status).toBe(401);
  });
});
