import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { endOtherSessions } from '../accounts/manage-profile';
import { beginFactor, enableFactor } from '../factor/set-up-factor';
import { resolveActor } from '../sessions/resolve-actor';
import { hashSessionToken } from '../sessions/session-token';
import { inviteToSignUp, setSignUp } from '../sign-up/manage-sign-up';
import { confirmEmailChange, previewEmailChange, undoEmailChange } from './confirm-email-change';
import { requestEmailChange } from './request-email-change';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { EMAILS_PER_NETWORK: '1000' } });
});
afterAll(() => harness.close());

const sql = () => harness.runtime.sql;
const IP = '192.0.2.1';
let count = 0;
const newAddress = () => `new${++count}@example.test`;
const emailOf = async (userId: string) =>
  (await sql()`select email from users where id = ${userId}`)[0]?.email;

async function createPerson() {
  const person = await harness.person();
  const token = await newSession(harness, person.userId);
  const actor = { ...createSessionActor(person), sessionId: hashSessionToken(token) };
  return { ...person, token, actor, email: await emailOf(person.userId) };
}
type Person = Awaited<ReturnType<typeof createPerson>>;

const request = ({ actor }: Person, email: string, code?: string) =>
  requestEmailChange(harness.runtime, actor, { email, code }, IP);

function readToken(to: string, kind: 'confirm' | 'undo'): string {
  const mail = harness.runtime.ports.localMail?.messages().find((each) => each.to === to);
  return new RegExp(`/email/${kind}\\?token=(\\S+)`).exec(mail?.text ?? '')?.[1] ?? '';
}
const works = (token: string) =>
  resolveActor(
    { runtime: harness.runtime, credentials: { kind: 'session', token }, transport: 'trpc' },
    true,
  ).then(
    () => true,
    () => false,
  );

describe('a change of email', () => {
  it('leads only to addresses that the sign-up policy admits, and uses up their invitation', async () => {
    const person = await createPerson();
    const { runtime } = harness;
    await setSignUp(
      runtime,
      { name: 'operator:test' },
      { choice: { policy: 'domains', domains: ['acme.test'] } },
    );
    try {
      await expect(request(person, newAddress())).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await request(person, 'pat@acme.test');
      const token = readToken('pat@acme.test', 'confirm');
      await setSignUp(runtime, { name: 'operator:test' }, { choice: { policy: 'invite', domains: [] } });
      await expect(confirmEmailChange(runtime, token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await inviteToSignUp(runtime, { name: 'operator:test' }, 'pat@acme.test');
      expect(await confirmEmailChange(runtime, token)).toEqual({ email: 'pat@acme.test' });
      expect(await sql()`select 1 from sign_up_invitations where used_at is null`).toHaveLength(0);
    } finally {
      await setSignUp(runtime, { name: 'operator:test' }, { choice: null });
    }
  });

  it('takes effect when confirmed; other sessions and providers are disconnected @F24', async () => {
    const person = await createPerson();
    const other = await newSession(harness, person.userId);
    await sql()`insert into identities (user_id, type, provider, provider_account_id)
      values (${person.userId}, 'oauth', 'github', ${person.userId})`;
    await sql()`insert into verification_tokens (identifier, token, expires)
      values (${person.email}, ${person.userId}, now() + interval '1 day')`;
    const address = newAddress();
    await request(person, ` ${address.toUpperCase()} `);
    const token = readToken(address, 'confirm');
    expect(await previewEmailChange(harness.runtime, token)).toEqual({
      state: 'open',
      link: 'confirm',
      old_email: person.email,
      new_email: address,
    });
    expect(await emailOf(person.userId)).toBe(person.email);

    expect(await confirmEmailChange(harness.runtime, token)).toEqual({ email: address });
    expect(await emailOf(person.userId)).toBe(address);
    expect([await works(person.token), await works(other)]).toEqual([true, false]);
    expect(await sql()`select 1 from identities where user_id = ${person.userId}`).toHaveLength(0);
    expect(await sql()`select 1 from verification_tokens where identifier = ${person.email}`).toHaveLength(0);
    await expect(confirmEmailChange(harness.runtime, token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await previewEmailChange(harness.runtime, token)).toMatchObject({ state: 'confirmed' });
    const events =
      await sql()`select action from audit_events where account_id = ${person.accountId} order by id`;
    expect(events.map(({ action }) => action)).toEqual(['email.request', 'email.change']);
  });

  it('stores no token', async () => {
    const person = await createPerson();
    const address = newAddress();
    await request(person, address);
    const [row] =
      await sql()`select to_jsonb(c)::text as text from email_changes c where user_id = ${person.userId}`;
    for (const token of [readToken(address, 'confirm'), readToken(person.email, 'undo')]) {
      expect(token).toMatch(/^em[cu]_/);
      expect(row?.text).not.toContain(token);
    }
  });

  it('can be stopped by the old address, and replaced by a newer request @F24', async () => {
    const person = await createPerson();
    const [first, second] = [newAddress(), newAddress()];
    await request(person, first);
    const replaced = readToken(first, 'confirm');
    await request(person, second);
    await expect(confirmEmailChange(harness.runtime, replaced)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await undoEmailChange(harness.runtime, readToken(person.email, 'undo'));
    await expect(confirmEmailChange(harness.runtime, readToken(second, 'confirm'))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await emailOf(person.userId)).toBe(person.email);
    expect(await works(person.token)).toBe(true);
  });

  it('can be undone by the old address after further changes, with all that was set up since @F24', async () => {
    const person = await createPerson();
    const [first, second] = [newAddress(), newAddress()];
    await request(person, first);
    await confirmEmailChange(harness.runtime, readToken(first, 'confirm'));
    const undo = readToken(person.email, 'undo');
    const { secret } = await beginFactor(harness.runtime, person.actor);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const { recovery_codes: codes } = await enableFactor(harness.runtime, person.actor, code);
    await request(person, second, codes[0]);
    const thiefs = readToken(first, 'undo');
    await confirmEmailChange(harness.runtime, readToken(second, 'confirm'));

    expect(await undoEmailChange(harness.runtime, undo)).toEqual({ email: person.email });
    expect(await emailOf(person.userId)).toBe(person.email);
    expect(harness.runtime.ports.localMail?.messages()[0]).toMatchObject({
      to: first,
      subject: 'The change of your email address was undone: Tool Gateway',
    });
    expect(await works(person.token)).toBe(false);
    expect(await sql()`select 1 from second_factors where user_id = ${person.userId}`).toHaveLength(0);
    await expect(undoEmailChange(harness.runtime, thiefs)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('stays undoable by its owner whatever later addresses undo or stop @F24', async () => {
    const person = await createPerson();
    const thiefs = newAddress();
    await request(person, thiefs);
    await confirmEmailChange(harness.runtime, readToken(thiefs, 'confirm'));
    const undo = readToken(person.email, 'undo');
    // Stopped before it is confirmed, and undone after it was.
    await request(person, newAddress());
    await undoEmailChange(harness.runtime, readToken(thiefs, 'undo'));
    const next = newAddress();
    await request(person, next);
    const undoNext = readToken(thiefs, 'undo');
    await confirmEmailChange(harness.runtime, readToken(next, 'confirm'));
    expect(await undoEmailChange(harness.runtime, undoNext)).toEqual({ email: thiefs });

    expect(await undoEmailChange(harness.runtime, undo)).toEqual({ email: person.email });
    expect(await emailOf(person.userId)).toBe(person.email);
  });

  it('is not confirmed once the browser that requested it was signed out @F24', async () => {
    const person = await createPerson();
    const owners = hashSessionToken(await newSession(harness, person.userId));
    const address = newAddress();
    await request(person, address);
    await endOtherSessions(harness.runtime, { ...person.actor, sessionId: owners });
    const token = readToken(address, 'confirm');
    expect(await previewEmailChange(harness.runtime, token)).toMatchObject({ state: 'ended' });
    await expect(confirmEmailChange(harness.runtime, token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await emailOf(person.userId)).toBe(person.email);
  });

  it('is undone with a second factor that was set up between request and confirmation @F24', async () => {
    const person = await createPerson();
    const address = newAddress();
    await request(person, address);
    const { secret } = await beginFactor(harness.runtime, person.actor);
    await enableFactor(
      harness.runtime,
      person.actor,
      new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
    );
    await confirmEmailChange(harness.runtime, readToken(address, 'confirm'));
    await undoEmailChange(harness.runtime, readToken(person.email, 'undo'));
    expect(await sql()`select 1 from second_factors where user_id = ${person.userId}`).toHaveLength(0);
  });

  it('is undone once the account that its owner created at the old address since is deleted', async () => {
    const person = await createPerson();
    const address = newAddress();
    await request(person, address);
    await confirmEmailChange(harness.runtime, readToken(address, 'confirm'));
    const undo = readToken(person.email, 'undo');
    const second = await harness.person();
    await sql()`update users set email = ${person.email} where id = ${second.userId}`;
    await expect(undoEmailChange(harness.runtime, undo)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      hint: expect.stringContaining('delete it in its settings'),
    });
    await sql()`update users set email = 'gone@deleted.invalid' where id = ${second.userId}`;
    expect(await undoEmailChange(harness.runtime, undo)).toEqual({ email: person.email });
  });

  it('cannot be undone after seven days, nor confirmed after one', async () => {
    const person = await createPerson();
    const address = newAddress();
    await request(person, address);
    const [confirm, undo] = [readToken(address, 'confirm'), readToken(person.email, 'undo')];
    await sql()`update email_changes set expires_at = now(), created_at = now() - interval '7 days'
      where user_id = ${person.userId}`;
    for (const [act, token] of [
      [confirmEmailChange, confirm],
      [undoEmailChange, undo],
    ] as const)
      await expect(act(harness.runtime, token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('does not reveal whether an address has an account, except to its owner @F24', async () => {
    const [person, owner] = [await createPerson(), await createPerson()];
    const free = newAddress();
    expect(await request(person, owner.email)).toEqual(await request(person, free));
    await request(person, owner.email);
    const token = readToken(owner.email, 'confirm');
    await expect(confirmEmailChange(harness.runtime, token)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('already belongs to another account'),
    });
    expect(await emailOf(owner.userId)).toBe(owner.email);
  });

  it('the token of one link does not do what the other does', async () => {
    const person = await createPerson();
    const address = newAddress();
    await request(person, address);
    await expect(confirmEmailChange(harness.runtime, readToken(person.email, 'undo'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(undoEmailChange(harness.runtime, readToken(address, 'confirm'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is limited per person and per address, and needs one valid other address @F24', async () => {
    const person = await createPerson();
    for (const wrong of ['', 'a', 'a@x.test,b@x.test', person.email])
      await expect(request(person, wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (let i = 0; i < 5; i++) await request(person, newAddress());
    await expect(request(person, newAddress())).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });

    const target = newAddress();
    const { emailsPerAddress } = harness.runtime.settings;
    for (let i = 0; i < emailsPerAddress; i++) await request(await createPerson(), target);
    await expect(request(await createPerson(), target)).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
  });

  it('needs the second factor if it is on @F24', async () => {
    const person = await createPerson();
    const { secret } = await beginFactor(harness.runtime, person.actor);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const { recovery_codes: codes } = await enableFactor(harness.runtime, person.actor, code);
    await expect(request(person, newAddress())).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await request(person, newAddress(), codes[0]);
  });

  it('is not requested if an email cannot be sent', async () => {
    const person = await createPerson();
    const mail = { send: () => Promise.reject(new Error('the mail server is away')) };
    const runtime = { ...harness.runtime, ports: { ...harness.runtime.ports, mail } };
    await expect(
      requestEmailChange(runtime, person.actor, { email: newAddress() }, IP),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(
      await sql()`select 1 from email_changes where user_id = ${person.userId} and ended_at is null`,
    ).toEqual([]);
  });
});
