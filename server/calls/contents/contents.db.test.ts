import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { deleteAccount } from '../../lifecycle/delete-account';
import { sweep } from '../../operations/retention/sweep';
import { rotateVault } from '../../operations/vault/rotate-vault';
import { createVault } from '../../platform/ports/vault';
import { changeContentSettings, getContentSettings } from './content-settings';
import { getContent } from './get-content';
import { MAX_STORED_BYTES } from './limits';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;
const sql = () => harness.runtime.sql;
const MARK = 'a sentence that nobody else writes';

async function call(
  person: Person,
  skill: string,
  input: object,
  more: { billing?: string; tool?: string } = {},
) {
  const { tool = 'diagnostics', billing } = more;
  const { body } = await harness.request('POST', '/v1/tools/call', {
    key: person.key,
    json: { tool, skill, input, billing },
  });
  await harness.runtime.callContents.flush();
  return body.id ?? body.error?.call_id;
}
const echo = (person: Person, message = MARK, billing?: string): Promise<string> =>
  call(person, 'echo', { message }, billing === undefined ? {} : { billing });
const store = (person: Person, days: number | null, billing?: string) =>
  changeContentSettings(harness.runtime, createSessionActor(person), { days, billing });
const read = async (person: Person, id: string) =>
  await getContent(harness.runtime, createSessionActor(person), id);
const rows = (accountId: string) =>
  sql()<{ call_id: string; sealed: string; bytes: number }[]>`
    select call_id, sealed, bytes from call_contents where account_id = ${accountId}`;

async function storingPerson(days = 7): Promise<Person> {
  const person = await harness.person(1_000_000n);
  await store(person, days);
  return person;
}

describe('contents of calls', () => {
  it('are not stored unless the account has opted in', async () => {
    const person = await harness.person();
    const id = await echo(person);
    expect(await rows(person.accountId)).toHaveLength(0);
    expect(await read(person, id)).toEqual({ content: null, hidden: false });
    expect(await getContentSettings(harness.runtime, createSessionActor(person), undefined)).toEqual({
      days: null,
      choices: [1, 7, 30],
      stored_bytes: 0,
      max_bytes: MAX_STORED_BYTES,
      can_change: true,
    });
  });

  it('are stored sealed: neither the row nor the log has the text, and another row cannot open it @F30', async () => {
    const person = await storingPerson();
    const id = await echo(person);
    const [row] = await rows(person.accountId);
    expect(row?.call_id).toBe(id);
    const dump = JSON.stringify(await sql()`select * from call_contents where call_id = ${id}`);
    expect(dump).not.toContain(MARK);
    expect(dump).not.toContain(Buffer.from(MARK).toString('base64url').slice(4, 20));
    expect(harness.log.join('')).not.toContain(MARK);
    const { content } = await read(person, id);
    expect(JSON.parse(content?.input.json ?? '')).toEqual({ message: MARK });
    expect(content?.output.json).toContain(MARK);
    expect(content?.input).toMatchObject({ truncated: false, redacted: false });
    const second = await echo(person, 'other');
    await sql()`update call_contents set sealed = ${row?.sealed ?? ''} where call_id = ${second}`;
    expect(await read(person, second)).toEqual({ content: null, hidden: false });
    await sql()`delete from call_contents where call_id = ${second}`;
  });

  it.each([
    ['that charges', 'diagnostics', 'spend', { amount_usd: 0.01 }],
    ['that only reads', 'math', 'evaluate', { expression: '1+1' }],
    ['that takes longer', 'diagnostics', 'sleep', { seconds: 0.1 }],
    ['that failed', 'diagnostics', 'flaky', { mode: 'throw' }],
  ])('are stored of a call %s', async (_, tool, skill, input) => {
    const person = await storingPerson();
    await call(person, skill, input, { tool });
    const [row] = await rows(person.accountId);
    const { content } = await read(person, row?.call_id ?? '');
    expect(JSON.parse(content?.input.json ?? '')).toEqual(input);
    if (skill === 'flaky') expect(JSON.parse(content?.output.json ?? '').error.code).toBe('HANDLER_ERROR');
  });

  it('include the log of a call, also if it became a job', async () => {
    const person = await storingPerson();
    await call(person, 'sleep', { seconds: 0.3, log_every_seconds: 0.1 });
    const [row] = await rows(person.accountId);
    const { content } = await read(person, row?.call_id ?? '');
    const log: { at: string; message: string }[] = JSON.parse(content?.log.json ?? '[]');
    expect(log.length).toBeGreaterThan(0);
    expect(log[0]).toEqual({ at: expect.any(String), message: expect.any(String) });
  });

  it('are stored without secrets, and within their size @F30', async () => {
    const person = await storingPerson();
    const secret = `tg_live_${randomBytes(19).toString('hex')}`;
    const id = await echo(person, `my key is ${secret}, ${'x'.repeat(90_000)}`);
    const { content } = await read(person, id);
    for (const side of [content?.input, content?.output]) {
      expect(side).toMatchObject({ truncated: true, redacted: true });
      expect(side?.json).not.toContain(secret);
      expect(Buffer.byteLength(side?.json ?? '')).toBeLessThan(66_000);
    }
  });

  it('stop at the limit of an account, and are counted', async () => {
    const person = await storingPerson();
    await echo(person);
    const [row] = await rows(person.accountId);
    const settings = await getContentSettings(harness.runtime, createSessionActor(person), undefined);
    expect(settings.stored_bytes).toBe(row?.bytes);
    await sql()`update call_content_settings set stored_bytes = ${MAX_STORED_BYTES - 10}
      where account_id = ${person.accountId}`;
    await echo(person);
    expect(await rows(person.accountId)).toHaveLength(1);
  });

  it('are lost, not awaited, while they cannot be written', async () => {
    const person = await storingPerson();
    const { lost } = harness.runtime.callContents;
    await sql().begin(async (tx) => {
      await tx`lock table call_content_settings in access exclusive mode`;
      const answers = await Promise.all(
        Array.from({ length: 3 }, () =>
          harness.request('POST', '/v1/tools/call', {
            key: person.key,
            json: { tool: 'diagnostics', skill: 'echo', input: { message: 'x' } },
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const one = {
        id: 'call_x',
        keyId: person.keyId,
        accountId: person.accountId,
        rawInput: {},
        credential: null,
      };
      const attempt = { ok: true, output: {}, usage: undefined, latencyMs: 1 } as const;
      for (let i = 0; i < 400; i++) harness.runtime.callContents.record(one, attempt, { lines: [] });
    });
    await harness.runtime.callContents.flush();
    expect(harness.runtime.callContents.lost).toBeGreaterThan(lost);
  });
});

describe('who may store and read contents', () => {
  async function makeTeam(slug: string) {
    const [owner, admin, member, other] = [
      await harness.person(),
      await harness.person(),
      await harness.person(),
      await harness.person(),
    ];
    const teamId = await harness.team(owner.userId, slug, 1_000_000n);
    for (const [person, role] of [
      [admin, 'admin'],
      [member, 'member'],
      [other, 'member'],
    ] as const)
      await sql()`insert into memberships (account_id, user_id, role) values (${teamId}, ${person.userId}, ${role})`;
    return { owner, admin, member, other, teamId };
  }

  it('only owners and admins of a team switch it on, for calls charged to the team', async () => {
    const { admin, member, teamId } = await makeTeam('switch');
    await expect(store(member, 7, 'switch')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await store(admin, 7, 'switch')).toMatchObject({ days: 7, can_change: true });
    await echo(member, MARK);
    expect(await rows(member.accountId)).toHaveLength(0);
    await echo(member, MARK, 'switch');
    expect(await rows(teamId)).toHaveLength(1);
    expect(
      await sql()`select actor, details from audit_events where action = 'call_contents.enable' and account_id = ${teamId}`,
    ).toMatchObject([{ details: { days: 7, days_before: null } }]);
  });

  it('owner and admins read all of a team, a member only their own, and others none @F30', async () => {
    const { owner, admin, member, other } = await makeTeam('readers');
    await store(owner, 7, 'readers');
    const id = await echo(member, MARK, 'readers');
    for (const reader of [owner, admin, member])
      expect((await read(reader, id)).content?.input.json).toContain(MARK);
    expect(await read(other, id)).toEqual({ content: null, hidden: true });
    expect(await read(await harness.person(), id)).toEqual({ content: null, hidden: false });
  });

  it('contents of a call by a key of the team are read by its owner and admins only @F30', async () => {
    const { owner, admin, member } = await makeTeam('team-key');
    await store(owner, 7, 'team-key');
    const { body: key } = await harness.request('POST', '/v1/keys', {
      key: admin.key,
      json: { name: 'CI', billing: 'team-key' },
    });
    const { body } = await harness.request('POST', '/v1/tools/call', {
      key: key.secret,
      json: { tool: 'diagnostics', skill: 'echo', input: { message: MARK } },
    });
    await harness.runtime.callContents.flush();
    for (const reader of [owner, admin])
      expect((await read(reader, body.id)).content?.input.json).toContain(MARK);
    expect(await read(member, body.id)).toEqual({ content: null, hidden: true });
  });

  it('days must be among the choices, which the operator limits', async () => {
    const person = await harness.person();
    await expect(store(person, 2)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'days: 2 cannot be chosen. Use 1, 7, 30 or null.',
    });
    const off = await startHarness({ peer: harness, env: { CALL_CONTENT_MAX_DAYS: '0' }, role: 'command' });
    try {
      const actor = createSessionActor(person);
      await expect(changeContentSettings(off.runtime, actor, { days: 1 })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: 'days: the operator of this gateway has switched this off.',
      });
      expect(off.runtime.callContents.wants(person.accountId)).toBe(false);
    } finally {
      await off.close();
    }
  });
});

describe('stored contents', () => {
  it('end with their days: unreadable at once, deleted by the sweep', async () => {
    const person = await storingPerson(1);
    const [old, young] = [await echo(person), await echo(person)];
    await sql()`update call_contents set created_at = created_at - interval '25 hours' where call_id = ${old}`;
    expect((await read(person, old)).content).toBeNull();
    await sweep(harness.runtime);
    expect((await rows(person.accountId)).map((row) => row.call_id)).toEqual([young]);
    const [row] = await rows(person.accountId);
    expect(
      (await getContentSettings(harness.runtime, createSessionActor(person), undefined)).stored_bytes,
    ).toBe(row?.bytes);
  });

  it('end when the account opts out, and stay gone if it opts in again @F30', async () => {
    const person = await storingPerson();
    const id = await echo(person);
    expect(await store(person, null)).toMatchObject({ days: null, stored_bytes: 0 });
    expect(await rows(person.accountId)).toHaveLength(0);
    await echo(person);
    expect(await rows(person.accountId)).toHaveLength(0);
    await store(person, 7);
    expect((await read(person, id)).content).toBeNull();
  });

  it('end when the account opts out while the sweep deletes some of them: neither waits for the other', async () => {
    const person = await storingPerson();
    const [swept] = [await echo(person), await echo(person)];
    await sql().begin(async (tx) => {
      await tx`select 1 from call_contents where call_id = ${swept} for update`;
      await store(person, null);
      await tx`delete from call_contents where call_id = ${swept}`;
    });
    expect(await rows(person.accountId)).toHaveLength(0);
  });

  it('end with the account, also with a closed team @F30', async () => {
    const person = await storingPerson();
    await echo(person);
    await deleteAccount(harness.runtime, createSessionActor(person));
    expect(await rows(person.accountId)).toHaveLength(0);
    const owner = await harness.person();
    const teamId = await harness.team(owner.userId, 'closing', 1_000n);
    await store(owner, 30, 'closing');
    await echo(owner, MARK, 'closing');
    await sql()`update accounts set closed_at = now() where id = ${teamId}`;
    await sweep(harness.runtime);
    expect(await rows(teamId)).toHaveLength(0);
  });

  it('are resealed when the vault key is replaced', async () => {
    const person = await storingPerson();
    const id = await echo(person);
    const { runtime } = harness;
    const old = { id: runtime.ports.vault.keyId, key: runtime.settings.vaultKey };
    const vault = createVault({ id: 'k2', key: randomBytes(32).toString('base64') }, [old]);
    const next = { ...runtime, ports: { ...runtime.ports, vault } };
    expect(await rotateVault(next)).toMatchObject({ missing: {}, broken: [] });
    expect((await rows(person.accountId))[0]?.sealed).toMatch(/^v1\.k2\./);
    const { content } = await getContent(next, createSessionActor(person), id);
    expect(content?.input.json).toContain(MARK);
  });
});
