import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { rotateVault } from '../../operations/vault/rotate-vault';
import { createAuthAdapter } from '../sessions/adapter';
import { completeSignIn } from '../sessions/complete-sign-in';
import { resolveActor } from '../sessions/resolve-actor';
import { hashSessionToken } from '../sessions/session-token';
import { requireFactor } from './check-code';
import { resetFactor } from './reset-factor';
import {
  beginFactor,
  disableFactor,
  enableFactor,
  getFactorState,
  renewRecoveryCodes,
} from './set-up-factor';

const PERIOD_MS = 30_000;

let harness: Harness;
/** The time of the gateway, which a test moves to get other codes. */
let now = Date.now();
beforeAll(async () => {
  harness = await startHarness({ ports: { clock: { now: () => new Date(now) } } });
});
afterAll(() => harness.close());
beforeEach(() => {
  now += 10 * PERIOD_MS;
});

const subjects = () => harness.runtime.ports.localMail?.messages().map(({ subject }) => subject) ?? [];
const codeOf = (secret: string, at = now) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

/** A person with the second factor on, and a later moment with an unused code. */
async function createPerson() {
  const person = await harness.person();
  const token = await newSession(harness, person.userId);
  const sessionId = hashSessionToken(token);
  const actor = { ...createSessionActor(person), sessionId };
  const { secret, uri, qr_svg } = await beginFactor(harness.runtime, actor);
  const { recovery_codes: codes } = await enableFactor(harness.runtime, actor, codeOf(secret));
  now += 2 * PERIOD_MS;
  const email = `${person.userId}@example.test`;
  return { ...person, actor, secret, uri, qr: qr_svg, codes, token, who: { userId: person.userId, email } };
}

/** Signs in as next-auth does after the email link. @returns the session's token */
async function signIn(userId: string): Promise<string> {
  const sessionToken = randomBytes(16).toString('hex');
  const expires = new Date(Date.now() + 3_600_000);
  await createAuthAdapter(harness.runtime).createSession?.({ sessionToken, userId, expires });
  return sessionToken;
}
const contextOf = (token: string) =>
  ({ runtime: harness.runtime, credentials: { kind: 'session', token }, transport: 'trpc' }) as const;

describe('setting up', () => {
  it('has no effect until a code confirms it, and ends the sessions without it', async () => {
    const person = await harness.person();
    const actor = createSessionActor(person);
    const { secret, uri, qr_svg } = await beginFactor(harness.runtime, actor);
    expect(uri).toContain('otpauth://totp/Tool%20Gateway:');
    expect(qr_svg).toMatch(/^<svg /);
    expect(await getFactorState(harness.runtime, actor)).toMatchObject({ enabled: false });
    await requireFactor(harness.runtime, { userId: person.userId, email: '' });

    const other = await newSession(harness, person.userId);
    await expect(enableFactor(harness.runtime, actor, '000000')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await enableFactor(harness.runtime, actor, codeOf(secret));
    await expect(resolveActor(contextOf(other), true)).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(await getFactorState(harness.runtime, actor)).toMatchObject({
      enabled: true,
      recovery_codes_left: 10,
    });
    expect(subjects()).toContain('Two-step verification is on: Tool Gateway');
    await expect(beginFactor(harness.runtime, actor)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('stores neither the secret nor a recovery code in plain text @F23', async () => {
    const { secret, codes, userId } = await createPerson();
    const [row] = await harness.runtime.sql`
      select to_jsonb(f)::text as text from second_factors f where user_id = ${userId}`;
    for (const plain of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(row?.text).not.toContain(plain);
  });

  it('survives a rotation of the vault key', async () => {
    const { userId, who, secret } = await createPerson();
    const other = await startHarness({
      peer: harness,
      role: 'command',
      env: {
        VAULT_KEY: Buffer.alloc(32, 9).toString('base64'),
        VAULT_KEY_ID: 'k2',
        VAULT_KEYS_OLD: `k1:${harness.runtime.settings.vaultKey}`,
      },
      ports: { clock: { now: () => new Date(now) } },
    });
    const before = await harness.runtime.sql`select * from second_factors`;
    expect(await rotateVault(other.runtime)).toMatchObject({ missing: {}, broken: [] });
    const [row] = await harness.runtime
      .sql`select sealed_secret from second_factors where user_id = ${userId}`;
    expect(row?.sealed_secret).toMatch(/^v1\.k2\./);
    await requireFactor(other.runtime, who, codeOf(secret));
    for (const { user_id: id, sealed_secret: sealed } of before)
      await harness.runtime.sql`update second_factors set sealed_secret = ${sealed} where user_id = ${id}`;
    await other.close();
  });
});

describe('a sign-in of a person with a second factor', () => {
  it('grants nothing until the code is entered @F23', async () => {
    const { userId, secret } = await createPerson();
    const token = await signIn(userId);
    await expect(resolveActor(contextOf(token), true)).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    // next-auth would link a provider to the person of a session that it sees.
    expect(await createAuthAdapter(harness.runtime).getSessionAndUser?.(token)).toBeNull();
    await expect(completeSignIn(contextOf(token), '123')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await completeSignIn(contextOf(token), codeOf(secret));
    expect(await resolveActor(contextOf(token), true)).toMatchObject({ userId });
  });

  it('expires after 15 minutes, and a complete one cannot be completed again', async () => {
    const { userId, secret } = await createPerson();
    const token = await signIn(userId);
    await harness.runtime.sql`update sessions set expires = expires - interval '15 minutes'
      where session_token = ${hashSessionToken(token)}`;
    await expect(completeSignIn(contextOf(token), codeOf(secret))).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
    });
    const next = await signIn(userId);
    await completeSignIn(contextOf(next), codeOf(secret));
    now += 2 * PERIOD_MS;
    await expect(completeSignIn(contextOf(next), codeOf(secret))).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
    });
  });

  it('accepts the code before and after the current one, and none further away', async () => {
    const { who, secret } = await createPerson();
    const code = (steps: number) => codeOf(secret, now + steps * PERIOD_MS);
    for (const steps of [-2, 2])
      await expect(requireFactor(harness.runtime, who, code(steps))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    for (const steps of [-1, 0, 1]) await requireFactor(harness.runtime, who, code(steps));
  });

  it('refuses a code that was used, also of two concurrent requests @F23', async () => {
    const { who, secret } = await createPerson();
    const both = await Promise.allSettled(
      [1, 2].map(() => requireFactor(harness.runtime, who, codeOf(secret))),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    // An older code that is still valid by its time is a replay too.
    await expect(requireFactor(harness.runtime, who, codeOf(secret, now - PERIOD_MS))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('accepts a recovery code once, however it is written, and reports it @F23', async () => {
    const { who, actor, codes } = await createPerson();
    const [code = ''] = codes;
    await requireFactor(harness.runtime, who, code.toUpperCase().replaceAll('-', ' '));
    expect(subjects()).toContain('A recovery code was used: Tool Gateway');
    await expect(requireFactor(harness.runtime, who, code)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await getFactorState(harness.runtime, actor)).toMatchObject({ recovery_codes_left: 9 });
  });

  it('refuses everything after ten wrong codes, and counts no valid ones @F23', async () => {
    const { who, secret, codes } = await createPerson();
    for (let i = 0; i < 12; i++) {
      await requireFactor(harness.runtime, who, codeOf(secret));
      now += PERIOD_MS;
    }
    const wrong = Array.from({ length: 12 }, () => requireFactor(harness.runtime, who, 'wrong'));
    const outcomes = (await Promise.allSettled(wrong)).map((each) =>
      each.status === 'rejected' ? each.reason.code : 'ok',
    );
    expect(outcomes.filter((code) => code === 'INVALID_INPUT')).toHaveLength(10);
    await expect(requireFactor(harness.runtime, who, codes[0])).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
  });
});

describe('the emails that a person can cause', () => {
  it('are limited: recovery codes count as attempts, and changes are ten a day @F23', async () => {
    const { actor, codes } = await createPerson();
    let recovery = codes;
    for (let i = 0; i < 9; i++) {
      const result = await renewRecoveryCodes(harness.runtime, actor, recovery[0] ?? '');
      recovery = result.recovery_codes;
    }
    await expect(renewRecoveryCodes(harness.runtime, actor, recovery[0] ?? '')).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { limit: 'factor-changes' },
    });
    await expect(renewRecoveryCodes(harness.runtime, actor, recovery[1] ?? '')).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { limit: 'factor-codes' },
    });
  });

  it('are limited too if it is turned on and off again @F23', async () => {
    const person = await harness.person();
    const actor = createSessionActor(person);
    const turnOn = async () => {
      const { secret } = await beginFactor(harness.runtime, actor);
      await enableFactor(harness.runtime, actor, codeOf(secret));
      return secret;
    };
    for (let i = 0; i < 10; i++) {
      const secret = await turnOn();
      await disableFactor(harness.runtime, actor, codeOf(secret, now + PERIOD_MS));
    }
    await expect(turnOn()).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { limit: 'factor-changes' },
    });
    expect(await getFactorState(harness.runtime, actor)).toMatchObject({ enabled: false });
  });
});

describe('turning off', () => {
  it('is refused while it is off, and so are recovery codes', async () => {
    const person = await harness.person();
    const actor = createSessionActor(person);
    const { secret } = await beginFactor(harness.runtime, actor);
    for (const act of [disableFactor, renewRecoveryCodes])
      await expect(act(harness.runtime, actor, codeOf(secret))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('needs a code, and so do new recovery codes, which replace the old ones', async () => {
    const { actor, who, secret, codes } = await createPerson();
    const { recovery_codes: next } = await renewRecoveryCodes(harness.runtime, actor, codes[0] ?? '');
    await expect(disableFactor(harness.runtime, actor, codes[1] ?? '')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await requireFactor(harness.runtime, who, next[0]);
    await disableFactor(harness.runtime, actor, codeOf(secret));
    expect(await getFactorState(harness.runtime, actor)).toMatchObject({ enabled: false });
    await requireFactor(harness.runtime, who);
    expect(subjects()).toContain('New recovery codes were created: Tool Gateway');
    expect(subjects()).toContain('Two-step verification is off: Tool Gateway');
  });

  it('by the operator is audited and reported to the person', async () => {
    const { accountId, userId, who } = await createPerson();
    const reset = () =>
      resetFactor(harness.runtime, { name: 'operator:boss', reason: 'lost phone' }, { userId, accountId });
    await reset();
    await requireFactor(harness.runtime, who);
    const events = await harness.runtime.sql`
      select actor, details from audit_events where action = 'factor.reset' and account_id = ${accountId}`;
    expect(events).toMatchObject([{ actor: 'operator:boss', details: { reason: 'lost phone' } }]);
    expect(subjects()).toContain('Two-step verification was reset: Tool Gateway');
    await expect(reset()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
