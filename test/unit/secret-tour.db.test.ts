import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appRouter } from '../../server/api/root';
import { t } from '../../server/core/trpc/init';
import { createSignInLink } from '../../server/identity/sessions/create-sign-in-link';
import { hashSessionToken } from '../../server/identity/sessions/session-token';
import { inviteMember } from '../../server/identity/teams/invite-member';
import { buyCredit } from '../support/buy-credit';
import { type Harness, startHarness } from '../support/harness';
import { listProcedures } from '../support/list-procedures';
import { connect, refreshWith, register } from '../support/oauth-fixture';
import { createSessionActor } from '../support/session-actor';
import { UNLIMITED_RATES } from '../support/unlimited-rates';
import { findSecrets } from '../system/fixtures/gateway-secrets';

/** Captured emails; without a mail server, a local gateway would log their links. */
const mails: string[] = [];
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    role: 'web',
    fakeStripe: true,
    ports: { mail: { send: async ({ text }) => void mails.push(text) } },
    env: { MACHINE_PAYMENTS_SANDBOX: '1', ...UNLIMITED_RATES },
  });
});
afterAll(() => harness.close());

/** Every secret issued or used on the tour. */
const secrets = new Set<string>();
const addSecrets = (...issued: (string | undefined | null)[]) => {
  for (const secret of issued) {
    expect(secret?.length).toBeGreaterThan(20);
    secrets.add(String(secret));
  }
};
const marker = () => {
  const secret = `sk-test-secret-${randomBytes(12).toString('hex')}`;
  secrets.add(secret);
  return secret;
};
const tokenIn = (url: string) => new URL(url).searchParams.get('token');

type Person = Awaited<ReturnType<Harness['person']>>;

/** Uses everything that has a secret, correctly and incorrectly; only creation may return one. */
async function sendEverySecret(person: Person): Promise<{ session: string; later: string[] }> {
  const { runtime } = harness;
  const { key } = person;
  addSecrets(key);
  const later: string[] = [];
  const send = async (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) => {
    const answer = await harness.request(method, path, { key, json, headers });
    return answer;
  };
  const sendAndRecord = async (...args: Parameters<typeof send>) => later.push((await send(...args)).text);

  const idempotent = { 'idempotency-key': 'a key' };
  const created = await send('POST', '/v1/keys', { name: 'toured' }, idempotent);
  addSecrets(created.body.secret);
  await sendAndRecord('POST', '/v1/keys', { name: 'toured' }, idempotent);
  await sendAndRecord('POST', `/v1/keys/${created.body.id}/credits`, { amount: 1 });
  const provisioned = await harness.request('POST', '/v1/auth/provision');
  addSecrets(provisioned.body.api_key, tokenIn(provisioned.body.claim_url));
  await sendAndRecord('POST', '/v1/auth/claim', { token: tokenIn(provisioned.body.claim_url) });
  await sendAndRecord('POST', '/v1/auth/claim', { token: `clm_${marker()}` });

  await sendAndRecord('PUT', '/v1/account/requirements/openai', { value: marker(), label: 'mine' });
  await sendAndRecord('PUT', '/v1/account/requirements/openai', { value: ` ${marker()}`, label: 'mine' });
  const echo = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
  const own = () => ({ 'x-provider-key-openai': marker() });
  await sendAndRecord('POST', '/v1/tools/call', echo, own());
  await sendAndRecord('POST', '/v1/tools/call', echo, { ...own(), accept: 'text/event-stream' });
  await sendAndRecord('POST', '/v1/tools/batch', { calls: [echo, echo] }, own());
  await sendAndRecord('POST', '/v1/tools/call', { ...echo, skill: 'flaky', input: { mode: 'throw' } }, own());
  const job = await send('POST', '/v1/tools/call', echo, { ...own(), prefer: 'wait=0' });
  await sendAndRecord('GET', `/v1/jobs/${job.body.job_id}`);
  for (const bearer of [marker(), `${key.slice(0, -1)}!`])
    later.push((await harness.request('GET', '/v1/keys', { key: bearer })).text);

  const { access, refresh, exchange, clientId } = await connect(harness, person);
  addSecrets(access, refresh, exchange.code);
  const next = await refreshWith(harness, clientId, refresh);
  addSecrets(next.body.access_token, next.body.refresh_token);
  const confidential = await register(harness, { token_endpoint_auth_method: 'client_secret_basic' });
  addSecrets(confidential.client_secret);

  const receiver = { url: 'https://receiver.invalid/hooks', events: ['job.completed'] };
  const endpoint = await send('POST', '/v1/webhooks', receiver);
  const rotated = await send('POST', `/v1/webhooks/${endpoint.body.id}/rotate-secret`, {});
  addSecrets(
    endpoint.body.secret,
    rotated.body.secret,
    (await send('GET', '/v1/webhooks/secret')).body.secret,
  );
  await sendAndRecord('PATCH', `/v1/webhooks/${endpoint.body.id}`, { url: 'https://receiver.invalid/' });
  await send('POST', '/v1/tools/call', { ...echo, webhook: receiver.url }, { prefer: 'wait=0' });
  await sendAndRecord('POST', `/v1/webhooks/${endpoint.body.id}/test`, {});

  await harness.team(person.userId, 'toured', 0n);
  const invited = { slug: 'toured', email: 'guest@example.test', role: 'member' as const };
  addSecrets(tokenIn((await inviteMember(runtime, createSessionActor(person), invited)).url));
  addSecrets(tokenIn(await createSignInLink(runtime, 'guest@example.test')));
  const session = randomBytes(32).toString('hex');
  addSecrets(session);
  await runtime.sql`insert into sessions (session_token, user_id, expires)
    values (${hashSessionToken(session)}, ${person.userId}, now() + interval '1 hour')`;
  await buyCredit(harness, { key, usd: 5, number: '4242424242424242' });
  await sendAndRecord('POST', '/v1/billing/machine-topup', { amount_usd: 5 });
  await sendAndRecord(
    'POST',
    '/v1/billing/machine-topup',
    { amount_usd: 5 },
    { authorization: `Payment ${marker()}` },
  );
  return { session, later };
}

/** Collects the responses of all session queries that need at most a team, and of lists by key. */
async function readEverything(key: string, session: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const lists = [
    'keys',
    'usage',
    'usage/history?limit=500',
    'account/requirements',
    'requirements',
    'billing/balance',
    'webhooks',
  ];
  for (const path of [...lists, 'billing/preferences', 'tools?limit=500'])
    texts.set(path, (await harness.request('GET', `/v1/${path}`, { key })).text);
  for (const { id } of JSON.parse(texts.get('keys') ?? '{}').keys)
    texts.set(id, (await harness.request('GET', `/v1/keys/${id}`, { key })).text);
  const caller = t.createCallerFactory(appRouter)({
    runtime: harness.runtime,
    requestId: 'req_x',
    clientIp: '127.0.0.1',
    credentials: { kind: 'session', token: session },
    providerKeys: new Map(),
    userAgent: null,
    signal: () => new AbortController().signal,
    reply: { headers: {} },
    transport: 'trpc',
  });
  const acts = caller as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
  for (const { name, type } of listProcedures()) {
    if (type !== 'query') continue;
    const [slice = '', act = ''] = name.split('.');
    const answer = await acts[slice]?.[act]?.({ slug: 'toured' }).catch((error: unknown) => String(error));
    texts.set(name, JSON.stringify(answer) ?? '');
  }
  return texts;
}

it('no secret is returned a second time, and none is in the log, the database or a file @B4 @B5', async () => {
  const person = await harness.person(5_000_000n);
  const { session, later } = await sendEverySecret(person);
  const answers = await readEverything(person.key, session);
  // The responses contain the created objects, so they would contain their secrets too.
  expect(answers.get('keys.list')).toContain('toured');
  expect(answers.get('teams.get')).toContain('guest@example.test');
  expect(answers.get('oauth.connections')).toContain('Chat');
  expect(answers.get('account/requirements')).toContain('mine');
  expect(answers.get('jobs.listOwn')).toContain('echo');
  expect(mails.join()).toContain('inv_');
  expect(harness.log.length).toBeGreaterThan(0);
  expect(secrets.size).toBeGreaterThan(20);
  for (const secret of secrets) {
    for (const [name, text] of answers)
      expect(text.includes(secret), `${name} has ${secret.slice(0, 16)}…`).toBe(false);
    later.forEach((text, n) => {
      expect(text.includes(secret), `answer ${n} has ${secret.slice(0, 16)}…: ${text.slice(0, 90)}`).toBe(
        false,
      );
    });
  }
  const { settings } = harness.runtime;
  const env = {
    DATA_DIR: settings.dataDir,
    DATABASE_URL: settings.databaseUrl,
    AUTH_SECRET: settings.authSecret,
    VAULT_KEY: settings.vaultKey,
    CLAIM_SECRET: settings.claimSecret,
  };
  expect(await findSecrets({ env, log: () => harness.log.join('\n') }, [...secrets])).toEqual([]);
});
