import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { listProcedures } from '@/test/support/list-procedures';
import {
  callProcedure,
  createBrowserCaller,
  createPersonWithEmail,
  OPERATOR,
  openSession,
  operatorPaths,
} from '@/test/support/operator-fixture';
import type { Credentials } from '../../core/trpc/context';

const SUPPORT = 'help@example.test';
let harness: Harness;
let support: ReturnType<typeof createBrowserCaller>;
let operator: ReturnType<typeof createBrowserCaller>;
let accountId: string;

async function signIn(email: string) {
  const person = await createPersonWithEmail(harness, email);
  const credentials: Credentials = {
    kind: 'session',
    token: await openSession(harness, person.userId, email),
  };
  accountId = person.accountId;
  return createBrowserCaller(harness, credentials);
}
beforeAll(async () => {
  harness = await startHarness({ env: { OPERATORS: OPERATOR, SUPPORT } });
  support = await signIn(SUPPORT);
  operator = await signIn(OPERATOR);
});
afterAll(() => harness.close());

describe('support', () => {
  it('is refused by every change on the operator’s pages, before its input is read @F28', async () => {
    const queries = new Set(listProcedures().flatMap(({ name, type }) => (type === 'query' ? [name] : [])));
    const changes = operatorPaths().filter((path) => !queries.has(path));
    expect(changes.length).toBeGreaterThan(15);
    const before = await harness.runtime.sql`select count(*)::int as n from audit_events`;
    for (const path of changes)
      await expect(callProcedure(support, path, {}), path).rejects.toMatchObject({
        cause: { code: 'FORBIDDEN' },
      });
    expect(await harness.runtime.sql`select count(*)::int as n from audit_events`).toEqual(before);
  });

  it('reads the pages, which is recorded, and is named as support', async () => {
    expect((await support.operator.overview()).accounts.total).toBeGreaterThan(0);
    await support.operator.accounts.get({ account_id: accountId });
    const [row] = await harness.runtime.sql`select actor from audit_events where action = 'account.view'`;
    expect(row).toEqual({ actor: `operator:${SUPPORT}` });
    expect(await support.auth.viewer()).toMatchObject({ operator: true, read_only_operator: true });
    expect(await operator.auth.viewer()).toMatchObject({ operator: true, read_only_operator: false });
  });

  it('sees promo codes only masked, also in a statement @F28', async () => {
    await operator.operator.promos.create({
      code: 'SECRETCODE',
      amount_usd: 1,
      max_redemptions: 5,
      expires_at: null,
      new_people_only: false,
      note: '',
    });
    await operator.billing.redeem({ code: 'SECRETCODE' });
    const read = async (caller: typeof support) =>
      JSON.stringify([
        await caller.operator.promos.list({}),
        await caller.operator.accounts.get({ account_id: accountId }),
        await caller.operator.accounts.statement({ account_id: accountId }),
        await caller.operator.audit({}),
      ]);
    expect(await read(operator)).toContain('SECRETCODE');
    const seen = await read(support);
    expect(seen).toContain('SE••••');
    expect(seen).not.toContain('SECRETCODE');
  });
});
