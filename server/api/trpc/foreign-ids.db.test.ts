import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credentials } from '../../core/trpc/context';
import { errorBody, toGatewayError } from '../../core/trpc/format-error';
import { t } from '../../core/trpc/init';
import { sessionCookieName } from '../../identity/sessions/session-token';
import { newSession, type Thing, UNKNOWN, VICTIMS_TEAM, victimsThings } from '../../testing/foreign-things';
import { type Harness, startHarness } from '../../testing/harness';
import { type Case, OWN_TEAM, PROCEDURES } from '../../testing/id-cases';
import { downloadCalls } from '../http/calls-download';
import { streamJobLog } from '../http/live-streams';
import { collectRoutes } from '../http/routes';
import { downloadStatement } from '../http/statement-download';
import { appRouter } from '../root';

let harness: Harness;
/** Ids of things that are the victim's. */
let theirs: Record<Thing, string>;
let stranger: { key: string; userId: string; session: string };
beforeAll(async () => {
  harness = await startHarness({
    standin: true,
    env: { MACHINE_PAYMENTS_SANDBOX: '1', RATE_PER_MINUTE: '1000' },
  });
  globalThis.__gateway = { runtime: harness.runtime };
  const person = await harness.person(1_000_000n);
  await harness.team(person.userId, OWN_TEAM, 0n);
  stranger = { key: person.key, userId: person.userId, session: await newSession(harness, person.userId) };
}, 120_000);
afterAll(async () => {
  globalThis.__gateway = undefined;
  await harness.close();
});

const cases = Object.entries(PROCEDURES).flatMap(([name, listed]) =>
  typeof listed === 'string' ? [] : listed.map((each) => ({ name, ...each, field: fieldOf(each) })),
);
const routes = new Map(collectRoutes().map((route) => [route.name, route]));

/** Which field the id is in. */
function fieldOf({ input }: Case): string {
  const [field = ''] = Object.entries(input('?')).find(([, value]) => String(value) === '?') ?? [];
  return field;
}

/** An answer without what differs from request to request: its own id, the asked one, and instants of now. */
function plain(text: string, id: string): string {
  return text
    .replaceAll(id, 'ID')
    .replace(/req_[0-9a-z]+/g, 'REQUEST')
    .replace(/"(from|to)":"[^"]+"/g, '"$1":"NOW"');
}
const codeOf = (text: string) => (JSON.parse(text) as { error?: { code: string } }).error?.code ?? 'ok';

const createCaller = t.createCallerFactory(appRouter);
/** Asked in the dashboard by the stranger. */
async function inSession(name: string, input: object): Promise<string> {
  const { runtime } = harness;
  const credentials: Credentials = { kind: 'session', token: stranger.session };
  const caller = createCaller({
    runtime,
    requestId: 'req_x',
    clientIp: '127.0.0.1',
    credentials,
    providerKeys: new Map(),
    userAgent: null,
    signal: () => new AbortController().signal,
    reply: { headers: {} },
    transport: 'trpc',
  });
  const [slice = '', act = ''] = name.split('.');
  const acts = (caller as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>)[
    slice
  ];
  try {
    return JSON.stringify(await acts?.[act]?.(input));
  } catch (thrown) {
    return JSON.stringify(errorBody(toGatewayError(thrown), 'req_x', runtime.settings.baseUrl));
  }
}

/** Asked over REST with the stranger's key: the bytes of the answer, with its status and headers. */
async function overRest(name: string, input: Record<string, unknown>): Promise<string> {
  const route = routes.get(name);
  if (!route) throw new Error(`${name} has no route`);
  const rest = { ...input };
  const path = route.template.replace(/\{(\w+)\}/g, (_: string, field: string) => {
    const value = String(rest[field]);
    delete rest[field];
    return encodeURIComponent(value);
  });
  const inQuery = route.method === 'GET' || route.method === 'DELETE';
  const query = inQuery ? `?${new URLSearchParams(rest as Record<string, string>)}` : '';
  const json = inQuery || Object.keys(rest).length === 0 ? undefined : rest;
  const answer = await harness.ask(route.method, path + query, { key: stranger.key, json });
  const { 'x-request-id': _id, ...headers } = answer.headers;
  // What it says of the windows of the key moves with each call.
  const fixed = Object.entries(headers).filter(([header]) => !header.includes('ratelimit'));
  expect(codeOf(answer.text)).toBeDefined();
  return `${answer.text}\n${answer.status} ${JSON.stringify(fixed)}`;
}

describe('an id of somebody else', () => {
  it('is there to be asked for: one of everything was made', async () => {
    theirs = await victimsThings(harness);
    for (const [thing, id] of Object.entries(theirs)) expect(id, thing).toMatch(/^[\w-]{5,}$/);
  });

  it('is thought of for every procedure there is', () => {
    const { procedures } = (appRouter as unknown as { _def: { procedures: object } })._def;
    expect(Object.keys(PROCEDURES).sort()).toEqual(Object.keys(procedures).sort());
  });

  it.each(cases)(
    '$name says of a $thing in $field what it says of an unknown one',
    async ({ name, ...asked }) => {
      const { thing, input, answer } = asked;
      const [id, unknown] = [theirs[thing], UNKNOWN[thing]];
      const route = routes.get(name);
      if (route) {
        const [foreign, none] = [
          await overRest(name, { ...input(id) }),
          await overRest(name, { ...input(unknown) }),
        ];
        expect(plain(foreign, id)).toBe(plain(none, unknown));
        expect(codeOf(foreign.split('\n')[0] ?? '')).toBe(answer);
      }
      const [foreign, none] = [await inSession(name, input(id)), await inSession(name, input(unknown))];
      expect(plain(foreign, id)).toBe(plain(none, unknown));
      // A route that is for keys alone says so in a session, whatever it is asked.
      expect(route ? [answer, 'AUTH_REQUIRED'] : [answer]).toContain(codeOf(foreign));
    },
  );

  it('is not found by the streams and downloads of the dashboard either', async () => {
    const headers = { cookie: `${sessionCookieName(harness.runtime.settings.baseUrl)}=${stranger.session}` };
    const get = (path: string) => new Request(`http://gateway.test${path}`, { headers });
    const both = async (thing: Thing, answer: (id: string) => Promise<Response>) => {
      const texts: string[] = [];
      for (const id of [theirs[thing], UNKNOWN[thing]]) {
        const response = await answer(id);
        expect([200, 403, 404]).toContain(response.status);
        texts.push(`${response.status} ${plain(await response.text(), id)}`);
      }
      expect(texts[0]).toBe(texts[1]);
      return texts[0] ?? '';
    };
    expect(await both('job', (id) => streamJobLog(get(`/api/live/jobs/${id}`), id))).toContain(
      '{"status":null}',
    );
    expect(await both('running', (id) => streamJobLog(get(`/api/live/jobs/${id}`), id))).toContain(
      '{"status":null}',
    );
    const statement = (id: string) =>
      downloadStatement(get(`/dashboard/billing/statement.csv?billing=${id}`));
    expect(await both('team', statement)).toMatch(/^403/);
    const calls = (id: string) => downloadCalls(get(`/dashboard/usage/calls.csv?billing=${id}`));
    expect(await both('team', calls)).toMatch(/^403/);
    const ofKey = (id: string) => downloadCalls(get(`/dashboard/usage/calls.csv?key_id=${id}`));
    expect(await both('key', ofKey)).toMatch(/^404/);
    const ofMember = (id: string) => downloadCalls(get(`/dashboard/usage/calls.csv?member=${id}`));
    expect(await both('user', ofMember)).toMatch(/^200/);
  });

  it('is thought of for every route file with a place for one', () => {
    const app = fileURLToPath(new URL('../../../app', import.meta.url));
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
      .map((name) => name.split(sep).join('/'))
      .filter((name) => name.endsWith('/route.ts') && (name.includes('[') || name.endsWith('.csv/route.ts')));
    expect(files.sort()).toEqual(
      [
        // Of the site, and of next-auth.
        '(site)/docs/[guide]/markdown/route.ts',
        '.well-known/oauth-authorization-server/[[...path]]/route.ts',
        '.well-known/oauth-protected-resource/[[...path]]/route.ts',
        'api/auth/[...nextauth]/route.ts',
        'stripe-standin/[[...path]]/route.ts',
        // 404 for who is no operator (operator/access.db.test.ts has their procedures, e2e/operator.spec.ts the file).
        'operator/audit/audit.csv/route.ts',
        // Procedures, which are listed above.
        'api/trpc/[trpc]/route.ts',
        'v1/[...path]/route.ts',
        // Rounds of work, which are the operator's, by a secret of theirs.
        'api/cron/[round]/route.ts',
        // Files, which whoever knows their name may read.
        'files/[...path]/route.ts',
        // In the test above.
        'api/live/jobs/[id]/route.ts',
        'dashboard/billing/statement.csv/route.ts',
        'dashboard/usage/calls.csv/route.ts',
      ].sort(),
    );
  });

  it('has changed nothing that was the victim’s', async () => {
    const { sql } = harness.runtime;
    const [row] = await sql`select
      (select revoked_at is null and name = 'test key' and credits_microusd is null
        from api_keys where id = ${theirs.key}) as key,
      (select count(*) from jobs where id = ${theirs.running} and finished_at is null)::int as running,
      (select deleted_at is null from assets where id = ${theirs.asset}) as asset,
      (select count(*) from sessions where session_token = ${theirs.session})::int as session,
      (select count(*) from oauth_grants where id = ${theirs.grant})::int as grant,
      (select count(*) from credentials where label = 'victims')::int as credential,
      (select name from accounts where slug = ${VICTIMS_TEAM}) as name,
      (select count(*) from memberships m join accounts a on a.id = m.account_id
        where a.slug = ${VICTIMS_TEAM} and m.user_id = ${stranger.userId})::int as joined,
      (select count(*) from invitations where id = ${theirs.invitation})::int as invitation,
      (select budget_limit_microusd is null and closed_at is null from accounts where slug = ${VICTIMS_TEAM}) as team`;
    expect(row).toEqual({
      key: true,
      running: 1,
      asset: true,
      session: 1,
      grant: 1,
      credential: 1,
      name: VICTIMS_TEAM,
      joined: 0,
      invitation: 1,
      team: true,
    });
  });
});
