import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { PROCEDURES } from '@/test/support/id-cases';
import { listProcedures } from '@/test/support/list-procedures';
import { connect, isTokenValid, refreshWith } from '@/test/support/oauth-fixture';
import { createSessionActor } from '@/test/support/session-actor';
import { collectRoutes } from '../../api/http/routes';
import { handleTrpc } from '../../api/trpc/handler';
import { listConnections } from '../oauth/list-connections';
import { hashSessionToken, sessionCookieName } from '../sessions/session-token';
import { setFrozen } from './freeze-account';
import { listViewerSessions } from './manage-profile';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
let token: string;
let cookie: string;
let tokens: Awaited<ReturnType<typeof connect>>;
const freeze = (frozen: boolean) =>
  setFrozen(harness.runtime, 'operator:test', { accountId: person.accountId, frozen, reason: 'test' });
beforeAll(async () => {
  harness = await startHarness({ fakeStripe: true, env: { MACHINE_PAYMENTS_SANDBOX: '1' } });
  person = await harness.person(1_000_000n);
  token = await newSession(harness, person.userId);
  cookie = `${sessionCookieName(harness.runtime.settings.baseUrl)}=${token}`;
  tokens = await connect(harness, person);
  await freeze(true);
});
afterAll(() => harness.close());

const FROZEN = { code: 'FORBIDDEN', message: expect.stringContaining('frozen') };
/**
 * What the owner of a frozen account may still do: end sessions, revoke keys, disconnect
 * applications, remove provider keys and webhook endpoints.
 */
const WHILE_FROZEN = [
  'auth.endSession',
  'keys.revoke',
  'oauth.disconnect',
  'requirements.remove',
  'webhooks.remove',
];
/** For keys only. */
const OF_KEYS = ['calls.run', 'calls.batch', 'jobs.cancel', 'assets.upload', 'topups.machine'];
/** Procedures that are public or not part of an account, and the end of other sessions. */
const OPEN = [
  'auth.provision',
  'assets.download',
  'assets.meta',
  'security.completeSignIn',
  'security.confirmEmailChange',
  'security.undoEmailChange',
  'security.endOtherSessions',
];
const isOpen = (name: string) => name.startsWith('operator.') || OPEN.includes(name);

async function inBrowser(name: string, type: 'query' | 'mutation', input: object = {}) {
  const origin = harness.runtime.settings.baseUrl;
  const address = `${origin}/api/trpc/${name}`;
  const headers = { cookie, origin, 'content-type': 'application/json' };
  const request =
    type === 'query'
      ? new Request(`${address}?input=%7B%7D`, { headers })
      : new Request(address, { method: 'POST', headers, body: JSON.stringify(input) });
  const response = await handleTrpc(request, harness.runtime);
  const body = (await response.json()) as {
    error?: { data: { gateway: { code: string; message: string } } };
  };
  return { status: response.status, error: body.error?.data.gateway };
}

describe('a frozen account', () => {
  const withKey = collectRoutes().filter(({ needsKey }) => needsKey);
  it.each(withKey.map(({ method, template }) => [method, template] as const))(
    'refuses its keys: %s %s',
    async (method, template) => {
      const path = template.replaceAll(/\{\w+\}/g, 'openai');
      const json = method === 'POST' || method === 'PUT' ? {} : undefined;
      const { status, body } = await harness.request(method, path, { key: person.key, json });
      expect([status, body.error]).toMatchObject([403, FROZEN]);
    },
  );

  const changes = listProcedures()
    .filter(({ name, type }) => type === 'mutation' && !isOpen(name) && !OF_KEYS.includes(name))
    .map(({ name }) => name);
  it.each(changes.filter((name) => !WHILE_FROZEN.includes(name)))(
    'lets its owner change nothing in the browser: %s',
    async (name) => {
      expect(PROCEDURES).toHaveProperty([name]);
      expect((await inBrowser(name, 'mutation')).error).toMatchObject(FROZEN);
    },
  );

  it('lets its owner read in the browser, end sessions and remove provider keys', async () => {
    for (const name of ['auth.viewer', 'auth.sessions', 'keys.list', 'teams.list'])
      expect((await inBrowser(name, 'query')).status).toBe(200);
    expect((await inBrowser('billing.balance', 'query')).error).toMatchObject(FROZEN);
    for (const name of WHILE_FROZEN)
      expect((await inBrowser(name, 'mutation')).error?.code).toBe('INVALID_INPUT');
  });

  it('lets its owner revoke keys, disconnect applications and sign out other sessions', async () => {
    const { runtime } = harness;
    const { keyId } = await harness.addKey(person.accountId);
    await newSession(harness, person.userId);
    await freeze(false);
    await connect(harness, person);
    await freeze(true);
    const { connections } = await listConnections(runtime, createSessionActor(person));
    const { sessions } = await listViewerSessions(runtime, createSessionActor(person));
    const acts = [
      ['keys.revoke', keyId],
      ['oauth.disconnect', connections[0]?.id],
      ['auth.endSession', sessions.find(({ id }) => id !== hashSessionToken(token))?.id],
    ] as const;
    for (const [name, id] of acts)
      expect([name, (await inBrowser(name, 'mutation', { id })).status]).toEqual([name, 200]);
    const [key] =
      await runtime.sql`select revoked_at is not null as revoked from api_keys where id = ${keyId}`;
    expect(key?.revoked).toBe(true);
    expect((await listConnections(runtime, createSessionActor(person))).connections).toHaveLength(
      connections.length - 1,
    );
    expect((await listViewerSessions(runtime, createSessionActor(person))).sessions).toHaveLength(1);
  });

  it('gives a connected application no tokens and no access until it is unfrozen', async () => {
    const { access, refresh, clientId } = tokens;
    const refused = await refreshWith(harness, clientId, refresh);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
    expect(refused.body.error_description).toContain('frozen');
    expect(await isTokenValid(harness, access)).toBe(false);
    await freeze(false);
    expect(await isTokenValid(harness, access)).toBe(true);
    expect((await refreshWith(harness, clientId, refresh)).status).toBe(200);
    await freeze(true);
  });
});
