import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createBrowserCaller, createPersonWithEmail, openSession } from '@/test/support/operator-fixture';
import type { Credentials } from '../../core/trpc/context';
import { reconcile } from '../reconcile/reconcile';
import { createPromo, deactivatePromo } from './manage-promos';
import { ATTEMPTS_PER_PERSON } from './redeem-code';
import type { CreatePromo } from './schema';

const BY = { name: 'operator:test' };
const PROMO: Omit<CreatePromo, 'code'> = {
  amount_usd: 2.5,
  max_redemptions: 100,
  expires_at: null,
  new_people_only: false,
  note: '',
};

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(async () => {
  await harness.runtime.sql`truncate rate_windows`;
});
afterAll(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await harness.close();
});

let made = 0;
/** A person in a browser, with a verified address unless it is null. */
async function createRedeemer(email: string | null = `person-${++made}@example.test`) {
  const person = await createPersonWithEmail(harness, email ?? `person-${++made}@example.test`);
  const token = await openSession(harness, person.userId, email);
  const credentials: Credentials = { kind: 'session', token };
  return { ...person, caller: createBrowserCaller(harness, credentials) };
}
const create = (code: string, promo: Partial<CreatePromo> = {}) =>
  createPromo(harness.runtime, BY, { ...PROMO, code, ...promo });

describe('a promo code', () => {
  it('grants its credit with an entry of its own in the statement', async () => {
    await create('SPRING');
    const { caller } = await createRedeemer();
    expect(await caller.billing.redeem({ code: ' spring ' })).toMatchObject({ amount_usd: 2.5 });
    const statement = await caller.billing.statement({ limit: 10 });
    expect(statement).toMatchObject({
      balance_usd: 2.5,
      lines: [{ kind: 'grant', description: 'Promo code SPRING', amount_usd: 2.5 }],
    });
    expect(statement.lines[0]?.ref).toMatch(/^promo:redeem_/);
    const [audited] = await harness.runtime
      .sql`select details from audit_events where action = 'promo.redeem'`;
    expect(JSON.stringify(audited)).not.toContain('SPRING');
  });

  it('is redeemed once per person and once per inbox, in any spelling @F25', async () => {
    await create('ONCE');
    const { caller } = await createRedeemer('grace.hopper@gmail.com');
    await caller.billing.redeem({ code: 'ONCE' });
    const again = { fields: [{ message: 'You have already redeemed this code.' }] };
    await expect(caller.billing.redeem({ code: 'ONCE' })).rejects.toMatchObject({
      cause: { details: again },
    });
    const other = await createRedeemer('gracehopper+2@googlemail.com');
    await expect(other.caller.billing.redeem({ code: 'ONCE' })).rejects.toMatchObject({
      cause: { details: again },
    });
    const rows = await harness.runtime.sql`select inbox_hash from promo_redemptions`;
    expect(JSON.stringify(rows)).not.toContain('grace');
  });

  it('of three redemptions is redeemed by three of ten at once @F25', async () => {
    const { id } = await create('THREE', { max_redemptions: 3 });
    const people = [];
    for (let n = 0; n < 10; n++) people.push(await createRedeemer());
    const outcomes = await Promise.allSettled(
      people.map(({ caller }) => caller.billing.redeem({ code: 'THREE' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const [row] = await harness.runtime.sql`select redeemed, (select count(*)::int from promo_redemptions
      where promo_id = ${id}) as rows from promo_codes where id = ${id}`;
    expect(row).toEqual({ redeemed: 3, rows: 3 });
    await expect(harness.runtime.sql`update promo_codes set redeemed = 4 where id = ${id}`).rejects.toThrow(
      'promo_codes_within_redemptions',
    );
  });

  it('is redeemed once by a person who sends it five times at once', async () => {
    await create('FIVE');
    const { caller, accountId } = await createRedeemer();
    await Promise.allSettled(Array.from({ length: 5 }, () => caller.billing.redeem({ code: 'FIVE' })));
    const [row] = await harness.runtime
      .sql`select balance_microusd::text as balance from accounts where id = ${accountId}`;
    expect(row).toEqual({ balance: '2500000' });
  });

  it('that has ended or never existed is refused with the same message', async () => {
    const { id } = await create('ENDED');
    await deactivatePromo(harness.runtime, BY, id);
    const expired = await create('EXPIRED');
    await harness.runtime.sql`update promo_codes set expires_at = now() where id = ${expired.id}`;
    const { caller } = await createRedeemer();
    const messages = [];
    for (const code of ['ENDED', 'EXPIRED', 'NEVER', '☃'])
      messages.push(await caller.billing.redeem({ code }).catch(({ message }: Error) => message));
    expect(new Set(messages)).toEqual(
      new Set(['code: This code does not exist, or has ended. Check the spelling.']),
    );
  });

  it('for new accounts is refused to people from before', async () => {
    const before = await createRedeemer();
    await create('NEWCOMER', { new_people_only: true });
    await expect(before.caller.billing.redeem({ code: 'NEWCOMER' })).rejects.toThrow('new accounts only');
    const after = await createRedeemer();
    expect(await after.caller.billing.redeem({ code: 'NEWCOMER' })).toMatchObject({ code: 'NEWCOMER' });
  });

  it('is redeemed for a team by its owner, and not by its members', async () => {
    await create('TEAM');
    const owner = await createRedeemer();
    const member = await createRedeemer();
    const team = await harness.team(owner.userId, 'redeemers', 0n);
    await harness.runtime
      .sql`insert into memberships (account_id, user_id, role) values (${team}, ${member.userId}, 'member')`;
    const redeem = { code: 'TEAM', billing: 'redeemers' };
    await expect(member.caller.billing.redeem(redeem)).rejects.toThrow('Only owners and admins');
    await owner.caller.billing.redeem(redeem);
    const [row] = await harness.runtime
      .sql`select balance_microusd::text as balance from accounts where id = ${team}`;
    expect(row).toEqual({ balance: '2500000' });
  });

  it('needs a verified address, and is not redeemed by trying @F25', async () => {
    await create('GUESSED');
    const { caller } = await createRedeemer(null);
    await expect(caller.billing.redeem({ code: 'GUESSED' })).rejects.toThrow('is not verified');
    const guesser = await createRedeemer();
    for (let n = 0; n < ATTEMPTS_PER_PERSON; n++)
      await expect(guesser.caller.billing.redeem({ code: `WRONG${n}` })).rejects.toThrow('does not exist');
    await expect(guesser.caller.billing.redeem({ code: 'GUESSED' })).rejects.toThrow('Too many codes');
  });
});
