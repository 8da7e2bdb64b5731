import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createVictimObjects,
  type ForeignObject,
  newSession,
  UNKNOWN,
  VICTIM_TEAM,
} from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { type Case, OWN_TEAM, PROCEDURES } from '@/test/support/id-cases';
import { listProcedures } from '@/test/support/list-procedures';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { errorBody } from '../../core/errors/error-body';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import type { Credentials } from '../../core/trpc/context';
import { t } from '../../core/trpc/init';
import { sessionCookieName } from '../../identity/sessions/session-token';
import { downloadCalls } from '../http/calls-download';
import { downloadDocuments, downloadDocumentsZip } from '../http/documents-download';
import { streamJobLog } from '../http/live-streams';
import { downloadReceipt } from '../http/pdf-download';
import { downloadRefusals } from '../http/refusals-download';
import { collectRoutes } from '../http/routes';
import { downloadStatement } from '../http/statement-download';
import { appRouter } from '../root';
import { resumeInPlayground } from './playground-run';

let harness: Harness;
/** Ids of things that the victim owns. */
let victimIds: Record<ForeignObject, string>;
let attacker: { key: string; userId: string; session: string };
beforeAll(async () => {
  harness = await startHarness({
    role: 'web',
    fakeStripe: true,
    env: { MACHINE_PAYMENTS_SANDBOX: '1', ...UNLIMITED_RATES },
  });
  globalThis.__gateway = { runtime: harness.runtime };
  const person = await harness.person(1_000_000n);
  await harness.team(person.userId, OWN_TEAM, 0n);
  attacker = { key: person.key, userId: person.userId, session: await newSession(harness, person.userId) };
}, 120_000);
afterAll(async () => {
  globalThis.__gateway = undefined;
  await harness.close();
});

const cases = Object.entries(PROCEDURES).flatMap(([name, listed]) =>
  typeof listed === 'string' ? [] : listed.map((each) => ({ name, ...each, field: findIdField(each) })),
);
const routes = new Map(collectRoutes().map((route) => [route.name, route]));

/** The field that holds the id. */
function findIdField({ input }: Case): string {
  const [field = ''] = Object.entries(input('?')).find(([, value]) => String(value) === '?') ?? [];
  return field;
}

/**
 * A response without the parts that differ per request: its id, the requested id and timestamps.
 */
function plain(text: string, id: string): string {
  return text
    .replaceAll(id, 'ID')
    .replace(/req_[0-9a-z]+/g, 'REQUEST')
    .replace(/"(from|to)":"[^"]+"/g, '"$1":"NOW"');
}
const parseCode = (text: string) => (JSON.parse(text) as { error?: { code: string } }).error?.code ?? 'ok';

const createCaller = t.createCallerFactory(appRouter);
/** Calls a procedure from the dashboard, as the attacker. */
async function inSession(name: string, input: object): Promise<string> {
  const { runtime } = harness;
  const credentials: Credentials = { kind: 'session', token: attacker.session };
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

/** Sends a REST request with the attacker's key: the response's bytes, status and headers. */
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
  const answer = await harness.request(route.method, path + query, { key: attacker.key, json });
  const { 'x-request-id': _id, ...headers } = answer.headers;
  // The rate limit headers change with each call.
  const fixed = Object.entries(headers).filter(([header]) => !header.includes('ratelimit'));
  expect(parseCode(answer.text)).toBeDefined();
  return `${answer.text}\n${answer.status} ${JSON.stringify(fixed)}`;
}

describe('an id of another account', () => {
  it('exists for every kind of thing', async () => {
    victimIds = await createVictimObjects(harness);
    for (const [thing, id] of Object.entries(victimIds)) expect(id, thing).toMatch(/^[\w-]{5,}$/);
  });

  it('is tested for every procedure @B1', () => {
    const names = listProcedures().map(({ name }) => name);
    expect(Object.keys(PROCEDURES).sort()).toEqual(names.sort());
  });

  it.each(cases)(
    '$name answers a $thing in $field of another account like an unknown one @B1 @B2',
    async ({ name, ...asked }) => {
      const { thing, input, answer } = asked;
      const [id, unknown] = [victimIds[thing], UNKNOWN[thing]];
      const route = routes.get(name);
      if (route) {
        const [foreign, none] = [
          await overRest(name, { ...input(id) }),
          await overRest(name, { ...input(unknown) }),
        ];
        expect(plain(foreign, id)).toBe(plain(none, unknown));
        expect(parseCode(foreign.split('\n')[0] ?? '')).toBe(answer);
      }
      const [foreign, none] = [await inSession(name, input(id)), await inSession(name, input(unknown))];
      expect(plain(foreign, id)).toBe(plain(none, unknown));
      // A route for keys only returns that error to a session, whatever the id.
      expect(route ? [answer, 'AUTH_REQUIRED'] : [answer]).toContain(parseCode(foreign));
    },
  );

  it('is not found by the streams and downloads of the dashboard @B1', async () => {
    const headers = { cookie: `${sessionCookieName(harness.runtime.settings.baseUrl)}=${attacker.session}` };
    const get = (path: string) => new Request(`http://gateway.test${path}`, { headers });
    const both = async (thing: ForeignObject, answer: (id: string) => Promise<Response>) => {
      const texts: string[] = [];
      for (const id of [victimIds[thing], UNKNOWN[thing]]) {
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
    const resumed = (id: string) =>
      resumeInPlayground(get(`/api/live/jobs/${id}/events`), id, harness.runtime);
    expect(await both('job', resumed)).toMatch(/^404/);
    const statement = (id: string) =>
      downloadStatement(get(`/dashboard/billing/statement.csv?billing=${id}`));
    expect(await both('team', statement)).toMatch(/^403/);
    const documents = (id: string) =>
      downloadDocuments(get(`/dashboard/billing/documents.csv?year=2026&billing=${id}`));
    expect(await both('team', documents)).toMatch(/^403/);
    const archive = (id: string) =>
      downloadDocumentsZip(get(`/dashboard/billing/documents.zip?year=2026&billing=${id}`));
    expect(await both('team', archive)).toMatch(/^403/);
    const receipt = (id: string) => downloadReceipt(get(`/dashboard/billing/receipts/${id}/receipt.pdf`), id);
    expect(await both('payment', receipt)).toMatch(/^404/);
    const calls = (id: string) => downloadCalls(get(`/dashboard/usage/calls.csv?billing=${id}`));
    expect(await both('team', calls)).toMatch(/^403/);
    const ofKey = (id: string) => downloadCalls(get(`/dashboard/usage/calls.csv?key_id=${id}`));
    expect(await both('key', ofKey)).toMatch(/^404/);
    const ofMember = (id: string) => downloadCalls(get(`/dashboard/usage/calls.csv?member=${id}`));
    expect(await both('user', ofMember)).toMatch(/^200/);
    const refusedOf = (name: string) => (id: string) =>
      downloadRefusals(get(`/dashboard/usage/refused.csv?${name}=${id}`));
    expect(await both('team', refusedOf('billing'))).toMatch(/^403/);
    expect(await both('key', refusedOf('key_id'))).toMatch(/^404/);
    expect(await both('user', refusedOf('member'))).toMatch(/^200/);
  });

  it('is tested for every route file that takes one @B1', () => {
    const app = fileURLToPath(new URL('../../../app', import.meta.url));
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
      .map((name) => name.split(sep).join('/'))
      .filter(
        (name) => name.endsWith('/route.ts') && (name.includes('[') || /\.(csv|zip)\/route\.ts$/.test(name)),
      );
    expect(files.sort()).toEqual(
      [
        // Site pages, and next-auth.
        '(site)/docs/[guide]/markdown/route.ts',
        '.well-known/oauth-authorization-server/[[...path]]/route.ts',
        '.well-known/oauth-protected-resource/[[...path]]/route.ts',
        'api/auth/[...nextauth]/route.ts',
        'fake-stripe/[[...path]]/route.ts',
        // 404 for non-operators: operator/access.db.test.ts covers the procedures,
        // e2e/operator.spec.ts the file.
        'operator/audit/audit.csv/route.ts',
        // Only errors that name the right path.
        'api/v1/[...path]/route.ts',
        // Procedures, which are listed above.
        'api/trpc/[trpc]/route.ts',
        'v1/[...path]/route.ts',
        // Scheduled rounds, protected by the operator's secret.
        'api/cron/[round]/route.ts',
        // Files, which anyone who knows the name may read.
        'files/[...path]/route.ts',
        // invoices/invoices.db.test.ts covers foreign invoices.
        'dashboard/billing/invoices/[file]/route.ts',
        // Covered by the test above.
        'api/live/jobs/[id]/events/route.ts',
        'api/live/jobs/[id]/route.ts',
        'dashboard/billing/documents.csv/route.ts',
        'dashboard/billing/documents.zip/route.ts',
        'dashboard/billing/receipts/[paymentId]/receipt.pdf/route.ts',
        'dashboard/billing/statement.csv/route.ts',
        'dashboard/usage/calls.csv/route.ts',
        'dashboard/usage/refused.csv/route.ts',
      ].sort(),
    );
  });

  it('leaves the victim’s data unchanged @B1', async () => {
    const { sql } = harness.runtime;
    const [row] = await sql`select
      (select revoked_at is null and name = 'test key' and credits_microusd is null
        from api_keys where id = ${victimIds.key}) as key,
      (select count(*) from jobs where id = ${victimIds.running} and finished_at is null)::int as running,
      (select deleted_at is null from assets where id = ${victimIds.asset}) as asset,
      (select count(*) from sessions where session_token = ${victimIds.session})::int as session,
      (select count(*) from oauth_grants where id = ${victimIds.grant})::int as grant,
      (select count(*) from credentials where label = 'victims')::int as credential,
      (select name from accounts where slug = ${VICTIM_TEAM}) as name,
      (select count(*) from memberships m join accounts a on a.id = m.account_id
        where a.slug = ${VICTIM_TEAM} and m.user_id = ${attacker.userId})::int as joined,
      (select count(*) from invitations where id = ${victimIds.invitation})::int as invitation,
      (select budget_limit_microusd is null and closed_at is null from accounts where slug = ${VICTIM_TEAM}) as team`;
    expect(row).toEqual({
      key: true,
      running: 1,
      asset: true,
      session: 1,
      grant: 1,
      credential: 1,
      name: VICTIM_TEAM,
      joined: 0,
      invitation: 1,
      team: true,
    });
  });
});
