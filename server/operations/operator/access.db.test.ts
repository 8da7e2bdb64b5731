import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import {
  callProcedure,
  createBrowserCaller,
  createPersonWithEmail,
  OPERATOR,
  openSession,
  operatorPaths,
} from '@/test/support/operator-fixture';
import { handleTrpc } from '../../api/trpc/handler';
import type { Credentials } from '../../core/trpc/context';
import { getVerifiedEmail } from '../../identity/sessions/options';

let harness: Harness;
let operator: Awaited<ReturnType<Harness['person']>>;

beforeAll(async () => {
  harness = await startHarness({ env: { OPERATORS: `someone@example.test, ${OPERATOR.toUpperCase()}` } });
  operator = await createPersonWithEmail(harness, OPERATOR);
});
afterAll(() => harness.close());

const session = (token: string): Credentials => ({ kind: 'session', token });

/** Callers of every kind who are not operators, by their kind. */
async function outsiders(): Promise<[string, Harness, Credentials][]> {
  const other = await harness.person(0n);
  const frozen = await createPersonWithEmail(harness, 'someone@example.test');
  await harness.runtime.sql`update accounts set frozen_at = now() where id = ${frozen.accountId}`;
  const provisioned = await harness.request('POST', '/v1/auth/provision');
  const removed = await startHarness({
    peer: harness,
    env: { OPERATORS: 'only@example.test' },
    role: 'command',
  });
  const gone = await openSession(harness, operator.userId, OPERATOR);
  await createBrowserCaller(harness, session(gone)).auth.endSession({ id: (await ended(gone)) ?? '' });
  return [
    ['an anonymous caller', harness, { kind: 'none' }],
    ['an unknown session', harness, session('no such token')],
    ['a user', harness, session(await openSession(harness, other.userId, `${other.userId}@example.test`))],
    ['the email without verification', harness, session(await openSession(harness, operator.userId, null))],
    [
      'another user with a verified operator email',
      harness,
      session(await openSession(harness, other.userId, OPERATOR)),
    ],
    [
      'an expired session',
      harness,
      session(await openSession(harness, operator.userId, OPERATOR, '-1 minute')),
    ],
    ['a session that was ended', harness, session(gone)],
    [
      'a frozen operator',
      harness,
      session(await openSession(harness, frozen.userId, 'someone@example.test')),
    ],
    [
      'an operator whom the settings do not name any more',
      removed,
      session(await openSession(harness, operator.userId, OPERATOR)),
    ],
    ['a key of an operator', harness, { kind: 'bearer', token: operator.key }],
    ['a key without a person', harness, { kind: 'bearer', token: provisioned.body.api_key }],
  ];
}

async function ended(token: string): Promise<string | undefined> {
  const { sessions } = await createBrowserCaller(harness, session(token)).auth.sessions();
  return sessions.find(({ current }) => current)?.id;
}

describe("the operator's procedures", () => {
  it('do not exist for everyone else, whatever is sent', async () => {
    const paths = operatorPaths();
    expect(paths.length).toBeGreaterThan(20);
    const before = await harness.runtime.sql`select count(*)::int as n from audit_events`;
    for (const [who, where, credentials] of await outsiders())
      for (const path of paths) {
        const asked = callProcedure(createBrowserCaller(where, credentials), path, {
          account_id: operator.accountId,
        });
        await expect(asked, `${who} at ${path}`).rejects.toMatchObject({
          code: 'NOT_FOUND',
          message: `No procedure found on path "${path}"`,
        });
      }
    const after = await harness.runtime.sql`select count(*)::int as n from audit_events`;
    expect(after[0]?.n).toBe(before[0]?.n);
  });

  it('return exactly the HTTP response of a procedure that does not exist', async () => {
    const person = await harness.person(0n);
    const cookie = `next-auth.session-token=${await openSession(harness, person.userId, null)}`;
    const ask = async (path: string) => {
      const response = await handleTrpc(
        new Request(`${harness.baseUrl}/api/trpc/${path}`, { headers: { cookie } }),
        harness.runtime,
      );
      const text = (await response.text()).replaceAll(path, 'PATH').replace(/req_[0-9a-z]+/g, 'REQ');
      return { status: response.status, text };
    };
    expect(await ask('operator.overview')).toEqual(await ask('operator.nothing'));
    expect((await ask('operator.overview')).status).toBe(404);
  });

  it('are not routes of the REST API', async () => {
    const answer = await harness.request('GET', '/v1/operator/overview', { key: operator.key });
    expect(answer.status).toBe(404);
    const { paths } = (await harness.request('GET', '/openapi.json')).body;
    expect(Object.keys(paths).filter((path) => path.includes('operator'))).toEqual([]);
  });

  it('accept changes only from our own pages', async () => {
    const cookie = `next-auth.session-token=${await openSession(harness, operator.userId, OPERATOR)}`;
    const post = async (origin: string) => {
      const request = new Request(`${harness.baseUrl}/api/trpc/operator.webhooks.replayAll`, {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/json' },
        body: '{}',
      });
      return (await handleTrpc(request, harness.runtime)).status;
    };
    expect(await post('https://evil.example')).toBe(403);
    expect(await post(harness.baseUrl)).not.toBe(403);
  });

  it('exist for a user with a verified email address that OPERATORS names', async () => {
    const caller = createBrowserCaller(
      harness,
      session(await openSession(harness, operator.userId, OPERATOR)),
    );
    expect((await caller.operator.overview()).accounts.total).toBeGreaterThan(0);
    expect((await caller.auth.viewer()).operator).toBe(true);
  });
});

describe('the email address that a sign-in verifies', () => {
  const user = { email: 'Boss@example.test' };
  it.each([
    ['an email link that was opened', { user, account: { provider: 'email' } }, OPERATOR],
    [
      'a mail link that was only asked for',
      { user, account: { provider: 'email' }, email: { verificationRequest: true } },
      null,
    ],
    [
      'Google, where it has verified the address in its Workspace',
      {
        user,
        account: { provider: 'google' },
        profile: { email: 'Boss@example.test', email_verified: true, hd: 'example.test' },
      },
      OPERATOR,
    ],
    [
      'Gmail',
      {
        user,
        account: { provider: 'google' },
        profile: { email: 'Ada@gmail.com', email_verified: true },
      },
      'ada@gmail.com',
    ],
    [
      'Google, where it verified an address that is not its own once',
      {
        user,
        account: { provider: 'google' },
        profile: { email: 'Boss@example.test', email_verified: true },
      },
      null,
    ],
    [
      'Google, where it has not',
      {
        user,
        account: { provider: 'google' },
        profile: { email: 'Boss@example.test', email_verified: false },
      },
      null,
    ],
    ['GitHub', { user, account: { provider: 'github' }, profile: { email: 'Boss@example.test' } }, null],
  ])('%s', (_, attempt, proven) => {
    expect(getVerifiedEmail(attempt)).toBe(proven);
  });
});
