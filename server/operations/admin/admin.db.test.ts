import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '@/db/client';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { runAdmin } from '../../main/admin/admin';

let database: TestDatabase;
let dataDir: string;
let books: ReturnType<typeof connect>;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-admin-'));
  books = connect(database.url, 1);
});
afterAll(async () => {
  await books.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs an admin command in this process, without a shell. */
async function admin(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const env: NodeJS.ProcessEnv = { NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: dataDir };
  const code = await runAdmin({
    args,
    env,
    cwd: dataDir,
    print: (line) => out.push(line),
    report: (line) => err.push(line),
  });
  return { code, out, err: err.join('\n'), json: () => JSON.parse(out.at(-1) ?? 'null') };
}
const create = (...args: string[]) => admin('account', 'create', ...args, '--json');
const show = async (account: string) =>
  (await admin('account', 'show', '--account', account, '--json')).json();
const listAudit = async (account: string) =>
  (
    await books.sql`select action, actor from audit_events where account_id = ${account} order by created_at, id`
  ).map(({ action, actor }) => ({ action, actor }));

describe('the admin CLI', () => {
  it('creates a user with a key and credit, and reports them in one JSON object', async () => {
    const made = await create('--email', 'Ada@Example.test', '--name', 'Ada', '--credit-usd', '2.5');
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toHaveLength(1);
    expect(made.json()).toMatchObject({ email: 'ada@example.test', credit_usd: 2.5, created: true });
    expect(made.json().api_key).toMatch(/^tg_live_/);
    expect(await show(made.json().account_id)).toMatchObject({
      name: 'Ada',
      type: 'personal',
      balance_usd: 2.5,
    });
  });

  it('says how the user signs in, and that another user is not the operator', async () => {
    const printed = async (email: string) =>
      (await admin('account', 'create', '--email', email)).out.join('\n');
    const other = await printed('eve@example.test');
    expect(other).toContain('npm run admin -- sign-in-link --email eve@example.test');
    expect(other).toContain('not the account of the operator, operator@localhost');
    expect(await printed('operator@localhost')).not.toContain('not the account');
  });

  it('gives an existing user another key and the credit', async () => {
    const first = (await create('--email', 'bob@example.test', '--credit-usd', '1')).json();
    const second = (await create('--email', 'BOB@example.test', '--credit-usd', '0.5')).json();
    expect(second).toMatchObject({ account_id: first.account_id, created: false });
    expect(second.key_id).not.toBe(first.key_id);
    expect(await show(first.account_id)).toMatchObject({ balance_usd: 1.5 });
  });

  it('writes every change to the audit log under the user who runs it', async () => {
    const { account_id: id, key_id } = (
      await create('--email', 'cy@example.test', '--credit-usd', '1')
    ).json();
    await admin('account', 'credit', '--account', id, '--amount-usd', '1', '--memo', 'sorry');
    await admin('account', 'freeze', '--email', 'cy@example.test', '--reason', 'abuse');
    expect(await show(id)).toMatchObject({ frozen_reason: 'abuse', balance_usd: 2 });
    await admin('account', 'unfreeze', '--account', id);
    await admin('key', 'revoke', '--key', key_id);
    expect(await show(id)).toMatchObject({ frozen_at: null, frozen_reason: null });
    const events = await listAudit(id);
    expect(events.map(({ action }) => action).sort()).toEqual(
      [
        'account.create',
        'account.credit',
        'account.credit',
        'account.freeze',
        'account.unfreeze',
        'key.create',
        'key.revoke',
      ].sort(),
    );
    for (const { actor } of events) expect(actor).toMatch(/^operator:.+/);
  });

  it('grants credit once per reference, and refuses the reference for another grant', async () => {
    const { account_id: id } = (await create('--email', 'di@example.test')).json();
    const credit = (usd: string) =>
      admin('account', 'credit', '--account', id, '--amount-usd', usd, '--ref', 'invoice 7', '--json');
    expect((await credit('3')).json()).toMatchObject({ granted: true, balance_usd: 3 });
    expect((await credit('3')).json()).toMatchObject({ granted: false, balance_usd: 3 });
    expect(await credit('4')).toMatchObject({ code: 1, err: expect.stringContaining('invoice 7') });
    expect(await show(id)).toMatchObject({ balance_usd: 3 });
  });

  it('finds a team by its slug, and names a slug that does not exist', async () => {
    await create('--email', 'tess@example.test');
    await books.sql`insert into accounts (id, type, name, slug, owner_user_id)
      select 'acct_crew', 'team', 'Crew', 'crew', id from users where email = 'tess@example.test'`;
    const credit = (slug: string) =>
      admin('account', 'credit', '--team', slug, '--amount-usd', '3', '--json');
    expect((await credit('crew')).json()).toMatchObject({ account_id: 'acct_crew', balance_usd: 3 });
    expect(await show('acct_crew')).toMatchObject({ type: 'team', slug: 'crew', email: 'tess@example.test' });
    expect(await credit('crow')).toMatchObject({ code: 1, err: expect.stringContaining('no team crow') });
  });

  it('lists keys masked, and revokes a key only once', async () => {
    const { account_id: id, api_key, key_id } = (await create('--email', 'ed@example.test')).json();
    const list = await admin('key', 'list', '--account', id);
    expect(list.out.join('\n')).toContain(key_id);
    expect(list.out.join('\n')).not.toContain(api_key);
    expect((await admin('key', 'revoke', '--key', key_id)).code).toBe(0);
    expect((await admin('key', 'revoke', '--key', key_id)).code).toBe(1);
    const { keys } = (await admin('key', 'list', '--account', id, '--json')).json();
    expect(keys).toMatchObject([{ id: key_id, status: 'revoked' }]);
  });

  it('creates a sign-in link for the operator, or for the given address', async () => {
    expect((await admin('sign-in-link', '--json')).json()).toMatchObject({ email: 'operator@localhost' });
    const { url } = (await admin('sign-in-link', '--email', 'fay@example.test', '--json')).json();
    expect(url).toMatch(/^http:\/\/localhost:3000\/sign-in\/confirm\?.*email=fay%40example.test/);
  });

  it('reconcile exits 0 without differences and 1 with them, and stores its runs', async () => {
    expect(await admin('reconcile')).toMatchObject({ code: 0, err: '' });
    const { account_id: id } = (await create('--email', 'gus@example.test')).json();
    await books.sql`update accounts set balance_microusd = 5 where id = ${id}`;
    const found = await admin('reconcile');
    expect(found.code).toBe(1);
    expect(found.out[0]).toContain(`balance equals ledger: ${id}: expected 0, found 5`);
    expect((await admin('reconcile', '--json')).json()).toMatchObject({ ok: false });
    const runs = await books.sql`
      select status, created_by, differences->0->>'subject' as subject from reconcile_runs order by id`;
    expect(runs.map(({ status }) => status)).toEqual(['ok', 'differences', 'differences']);
    expect(runs[1]).toMatchObject({ subject: id, created_by: expect.stringMatching(/^operator:./) });
    await books.sql`update accounts set balance_microusd = 0 where id = ${id}`;
  });

  it('fills an account with made-up usage only when confirmed, and the accounts still reconcile', async () => {
    const { account_id: id } = (await create('--email', 'ivy@example.test')).json();
    const made = (
      await admin('usage', 'seed', '--account', id, '--rows', '500', '--days', '9', '--json')
    ).json();
    expect(made).toMatchObject({ account_id: id, rows: 500, days: 9 });
    expect(await show(id)).toMatchObject({ balance_usd: 25 });
    expect(await admin('reconcile')).toMatchObject({ code: 0 });
    expect((await listAudit(id)).map(({ action }) => action)).toContain('usage.seed');
  });

  it('sweep removes expired data, reports how much, and exits 1 if a part failed', async () => {
    await books.sql`insert into rate_windows values ('provision', 'old', now() - interval '3 days', 1)`;
    expect((await admin('sweep', '--json')).json()).toMatchObject({
      ok: true,
      elsewhere: false,
      rate_windows: 1,
      jobs: 0,
    });
    expect(await admin('sweep')).toMatchObject({ code: 0, out: ['Nothing has expired.'] });
    await books.sql`alter table rate_windows rename to rate_windows_away`;
    const failed = await admin('sweep');
    await books.sql`alter table rate_windows_away rename to rate_windows`;
    expect(failed).toMatchObject({ code: 1, out: [expect.stringContaining('rate windows')] });
  });

  it.each([
    [['account', 'create'], '--email'],
    [['account', 'create', '--email', 'nobody'], '--email nobody'],
    [['account', 'create', '--email', 'a@b.test,c@d.test'], '--email'],
    [['account', 'create', '--email', 'a@b.test', '--credit-usd', '1e3'], '--credit-usd 1e3'],
    [['account', 'create', '--email', 'a@b.test', '--credit-usd', '-1'], '--credit-usd -1'],
    [['account', 'create', '--email', '--json'], '--email needs a value'],
    [['account', 'credit', '--email', 'a@b.test', '--amount-usd', '0'], '--amount-usd'],
    [['account', 'freeze'], '--team (its slug)'],
    [['account', 'freeze', '--account', 'x', '--email', 'a@b.test'], 'only one'],
    [['account', 'freeze', '--team', 'x', '--email', 'a@b.test'], 'only one'],
    [['key', 'revoke', '--key', 'x', '--kee', 'y'], '--kee'],
    [['usage', 'seed', '--email', 'a@b.test', '--rows', '0'], '--rows 0'],
    [['usage', 'seed', '--email', 'a@b.test', '--rows', '9', '--days', '1e9'], '--days 1e9'],
    [['fly'], '"fly"'],
  ])('%j exits 2 and says what to fix', async (args, named) => {
    const refused = await admin(...args);
    expect(refused).toMatchObject({ code: 2, out: [] });
    expect(refused.err).toContain(named);
  });

  it('exits 1 and names an account that does not exist', async () => {
    const missing = await admin('account', 'freeze', '--email', 'zoe@example.test');
    expect(missing).toMatchObject({ code: 1, out: [], err: expect.stringContaining('zoe@example.test') });
  });

  it('--help names all commands, and the flags of one', async () => {
    const all = (await admin('--help')).out.join('\n');
    for (const name of ['account create', 'account freeze', 'key revoke', 'reconcile', 'sweep'])
      expect(all).toContain(name);
    expect((await admin('account', 'credit', '--help')).out.join('\n')).toContain('--amount-usd USD');
  });
});
