import { afterAll, beforeAll, expect, it } from 'vitest';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { requestEmailChange } from '../identity/email-change/request-email-change';
import { beginFactor } from '../identity/factor/set-up-factor';
import { hashSessionToken } from '../identity/sessions/session-token';
import { deleteAccount } from './delete-account';
import { exportData, startExport } from './export-data';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

async function createPerson() {
  const person = await harness.person(1_000_000n);
  const token = await newSession(harness, person.userId);
  return { ...person, token, actor: { ...createSessionActor(person), sessionId: hashSessionToken(token) } };
}

async function readExport({ actor }: Awaited<ReturnType<typeof createPerson>>) {
  let text = '';
  for await (const part of (await exportData(harness.runtime, actor)).text) text += part;
  return { text, data: JSON.parse(text) };
}

it('an export has everything of the person, nothing of others, and no secret', async () => {
  const [person, other] = [await createPerson(), await createPerson()];
  const { sql } = harness.runtime;
  const call = async (key: string) => {
    const json = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
    return (await harness.request('POST', '/v1/tools/call', { key, json })).body.id as string;
  };
  const [mine, theirs] = [await call(person.key), await call(other.key)];
  await sql`insert into reviews (id, account_id, tool, rating) values ('rev_mine', ${person.accountId}, 'text', 5)`;
  await sql`insert into credentials (id, account_id, slot, label, is_default, sealed, vault_key_id, version, mask)
    values ('crd_mine', ${person.accountId}, 'openai', 'mine', true, 'v1.sealed', 'k1', 1, 'sk-…x')`;
  await harness.team(person.userId, 'exporters', 0n);
  for (const { accountId, userId } of [person, other]) {
    await sql`insert into billing_details (account_id, company_name) values (${accountId}, ${`Company of ${userId}`})`;
    await sql`insert into email_changes (confirm_hash, undo_hash, user_id, session_id, old_email, new_email, expires_at)
      values (${Buffer.from(`confirm ${userId}`)}, ${Buffer.from(`undo ${userId}`)}, ${userId}, 'hash of a session',
        ${`old-${userId}@example.test`}, ${`new-${userId}@example.test`}, now())`;
  }

  await startExport(harness.runtime, person.actor);
  const { text, data } = await readExport(person);
  expect(data.profile).toMatchObject({ id: person.userId, email: `${person.userId}@example.test` });
  expect(data.account).toMatchObject({ id: person.accountId, balance_microusd: 750_000 });
  expect(data.calls).toMatchObject([{ id: mine, tool: 'diagnostics', skill: 'spend' }]);
  expect(data.keys).toMatchObject([{ id: person.keyId }]);
  expect(data.ledger.length).toBeGreaterThan(1);
  expect(data.teams).toMatchObject([{ slug: 'exporters', role: 'owner' }]);
  expect(data.reviews).toMatchObject([{ id: 'rev_mine', rating: 5 }]);
  expect(data.provider_keys).toMatchObject([{ id: 'crd_mine', mask: 'sk-…x' }]);
  expect(data.billing_details).toMatchObject([{ company_name: `Company of ${person.userId}` }]);
  expect(data.email_changes).toMatchObject([{ old_email: `old-${person.userId}@example.test` }]);
  expect([data.invoices, data.promo_redemptions]).toEqual([[], []]);
  expect(data.audit_events).toMatchObject([{ action: 'account.export' }]);
  expect(data.sessions).toHaveLength(1);
  for (const absent of [
    'hash of a session',
    person.key,
    person.token,
    person.actor.sessionId,
    'v1.sealed',
    theirs,
    other.userId,
  ])
    expect(text).not.toContain(absent);
});

it('an export reads long lists in pages, each row once', async () => {
  const person = await createPerson();
  await harness.runtime.sql`
    insert into reviews (id, account_id, tool, rating)
    select 'rev_' || lpad(n::text, 26, '0'), ${person.accountId}, 'tool-' || n, 3 from generate_series(1, 1201) n`;
  await startExport(harness.runtime, person.actor);
  const { data } = await readExport(person);
  const ids = data.reviews.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(1201);
  expect(ids).toHaveLength(1201);
});

it('an export is downloaded once per request, by the session that requested it, five times a day', async () => {
  const person = await createPerson();
  await expect(exportData(harness.runtime, person.actor)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await startExport(harness.runtime, person.actor);
  const otherSession = {
    ...person.actor,
    sessionId: hashSessionToken(await newSession(harness, person.userId)),
  };
  await expect(exportData(harness.runtime, otherSession)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await readExport(person);
  await expect(exportData(harness.runtime, person.actor)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  for (let i = 0; i < 4; i++) await startExport(harness.runtime, person.actor);
  await expect(startExport(harness.runtime, person.actor)).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
  });
});

it('an export and a deletion need the second factor if it is on @F23', async () => {
  const person = await createPerson();
  await harness.runtime.sql`insert into second_factors (user_id, sealed_secret, confirmed_at, recovery_hashes)
    values (${person.userId}, ${harness.runtime.ports.vault.seal('JBSWY3DPEHPK3PXP', `second-factor:${person.userId}`)},
      now(), '{}')`;
  for (const code of [undefined, '000000'])
    await expect(startExport(harness.runtime, person.actor, code)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  await expect(deleteAccount(harness.runtime, person.actor)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const [row] = await harness.runtime.sql`select closed_at from accounts where id = ${person.accountId}`;
  expect(row?.closed_at).toBeNull();
});

it('a deletion leaves no second factor, session, sign-in link or requested change of email, and is reported', async () => {
  const person = await createPerson();
  const email = `${person.userId}@example.test`;
  await harness.runtime.sql`insert into verification_tokens (identifier, token, expires)
    values (${email}, 'unused link', now() + interval '1 day')`;
  await requestEmailChange(harness.runtime, person.actor, { email: 'next@example.test' }, '192.0.2.1');
  await beginFactor(harness.runtime, person.actor);
  await deleteAccount(harness.runtime, person.actor);
  const left = await harness.runtime.sql`
    select user_id from second_factors where user_id = ${person.userId}
    union all select user_id from email_changes where user_id = ${person.userId}
    union all select user_id from sessions where user_id = ${person.userId}
    union all select token from verification_tokens where identifier = ${email}`;
  expect(left).toEqual([]);
  expect(harness.runtime.ports.localMail?.messages()[0]).toMatchObject({
    to: email,
    subject: 'Your account was deleted: Tool Gateway',
  });
});
