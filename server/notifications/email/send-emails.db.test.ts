import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memberships } from '@/db/schema/accounts';
import { type Harness, startHarness } from '@/test/support/harness';
import { createReloadPerson, spend } from '@/test/support/reload-fixture';
import { ScriptedPayments } from '@/test/support/scripted-payments';
import { newId } from '../../kit/ids';
import { grantAccount } from '../../money/billing/grant-account';
import { reconcile } from '../../money/reconcile/reconcile';
import { sweep } from '../../operations/retention/sweep';
import { enqueueEmail } from '../../platform/email/enqueue-email';
import type { EmailMessage, Mailer } from '../../platform/ports/ports';
import { sendEmails } from './send-emails';
import type { EmailKind } from './store';

/** A mail server that can be down, or reject some addresses. */
class MailServer implements Mailer {
  readonly sent: EmailMessage[] = [];
  down = false;
  unknown = new Set<string>();

  async send(message: EmailMessage): Promise<void> {
    if (this.down) throw new Error('connect ECONNREFUSED');
    if (this.unknown.has(message.to)) throw new Error('550 no such mailbox');
    this.sent.push(message);
  }

  to(address: string): string[] {
    return this.sent.filter(({ to }) => to === address).map(({ subject }) => subject);
  }
}

const mail = new MailServer();
const payments = new ScriptedPayments();
let harness: Harness;
let other: Harness;
beforeAll(async () => {
  const options = { ports: { mail, payments }, role: 'command' } as const;
  harness = await startHarness(options);
  other = await startHarness({ ...options, peer: harness });
});
afterAll(async () => {
  await other.close();
  await harness.close();
});
beforeEach(() => {
  mail.sent.length = 0;
  mail.down = false;
  harness.log.length = 0;
});
afterEach(async () => {
  await harness.runtime.sql`delete from outgoing_emails`;
});

const never = new AbortController().signal;
const send = (process: Harness = harness) => sendEmails(process.runtime, never);
const sql = () => harness.runtime.sql;
const rows = () => sql()`select kind, attempts, sent_at is not null as sent from outgoing_emails order by id`;
const due = () =>
  sql()`update outgoing_emails set due_at = now() - interval '1 second' where sent_at is null`;
const enqueue = (accountId: string, kind: EmailKind, ref: string | null = null) =>
  harness.runtime.db.transaction((tx) => enqueueEmail(tx, { kind, accountId, ref }));
const grant = (accountId: string, amount: bigint) =>
  grantAccount(harness.runtime, 'operator:test', { accountId, amount, ref: newId('request'), memo: 'test' });
const emailOf = (userId: string) => `${userId}@example.test`;

it('alerts of the monthly limit are sent twenty times a day, however often the limit is changed @F9', async () => {
  const { accountId, userId } = await harness.person();
  for (let limit = 1; limit <= 22; limit++) {
    const [row] = await sql()<{ ref: string }[]>`
      update accounts set budget_limit_microusd = ${limit}, month_start = date_trunc('month', now() at time zone 'UTC')::date
      where id = ${accountId} returning month_start || ':50:' || budget_limit_microusd as ref`;
    await enqueue(accountId, 'limit_alert', row?.ref);
    await send();
  }
  expect(mail.to(emailOf(userId))).toHaveLength(20);
  expect(await rows()).toHaveLength(20);
});

describe("an account's managers get an email when its credit falls below the threshold", () => {
  it('and says that it is used up where one call took all of it', async () => {
    const { accountId, key, userId } = await harness.person();
    await grant(accountId, 2_000_000n);
    await spend(harness, key, 1_000_000n);
    await spend(harness, key, 1_000_000n);
    await send();
    expect(mail.to(emailOf(userId))).toEqual(['Credit is used up: Test Person']);
  });

  it('once a day, however often the balance crosses the threshold @F9', async () => {
    const { accountId, key, userId } = await harness.person();
    await grant(accountId, 1_500_000n);
    await spend(harness, key, 400_000n);
    await send();
    expect(mail.sent).toEqual([]);
    for (let i = 0; i < 3; i++) await spend(harness, key, 200_000n);
    await send();
    expect(mail.to(emailOf(userId))).toEqual(['Credit is running low: Test Person']);
    expect(mail.sent[0]?.text).toContain('$0.50');

    await grant(accountId, 100_000n);
    await spend(harness, key, 10_000n);
    await send();
    expect(mail.sent).toHaveLength(1);
    for (let i = 0; i < 3; i++) {
      await grant(accountId, 1_000_000n);
      await spend(harness, key, 1_000_000n);
      await Promise.all([send(), send(other)]);
    }
    expect(mail.sent).toHaveLength(1);
    // Still low a day later: one email for everything since.
    await sql()`update outgoing_emails set sent_at = sent_at - interval '1 day', due_at = due_at - interval '1 day'`;
    await Promise.all([send(), send(other)]);
    expect(mail.sent).toHaveLength(2);
    await due();
    await send();
    expect(mail.sent).toHaveLength(2);
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
  });

  it('only if auto-recharge cannot charge a card', async () => {
    const person = await createReloadPerson(harness, payments, { credit: 0n, threshold: 500_000n });
    await grant(person.accountId, 1_500_000n);
    await spend(harness, person.key, 700_000n);
    expect(await rows()).toMatchObject([{ kind: 'low_balance', sent: false }]);
    await send();
    expect(mail.sent).toEqual([]);
    expect(await rows()).toEqual([]);

    await sql()`update payment_profiles set payment_method_id = null where account_id = ${person.accountId}`;
    await grant(person.accountId, 1_000_000n);
    await spend(harness, person.key, 1_000_000n);
    await send();
    expect(mail.sent.map(({ text }) => text.includes('no saved card'))).toEqual([true]);
  });

  it('not if credit was added before it was sent', async () => {
    const { accountId, key } = await harness.person();
    await grant(accountId, 1_500_000n);
    await spend(harness, key, 700_000n);
    await grant(accountId, 1_500_000n);
    await send();
    expect(mail.sent).toEqual([]);
  });
});

it('sends one email a day for each other cause, and each disputed payment is one @F9', async () => {
  const { accountId, userId } = await harness.person();
  const kinds = ['reload_declined', 'reload_stopped', 'reload_capped'] as const;
  for (let i = 0; i < 3; i++) {
    for (const kind of kinds) await enqueue(accountId, kind, newId('reload'));
    await enqueue(accountId, 'dispute_opened', 'pi_one');
  }
  await enqueue(accountId, 'dispute_opened', 'pi_two');
  await Promise.all([send(), send(other)]);
  await due();
  await send();
  expect(mail.to(emailOf(userId)).sort()).toEqual(
    ['A payment is disputed', 'A payment is disputed', 'Auto-recharge is off', 'Auto-recharge is off']
      .concat('The card was declined')
      .map((subject) => `${subject}: Test Person`),
  );
  await enqueue(accountId, 'reload_stopped', newId('reload'));
  await send();
  expect(mail.sent).toHaveLength(5);
});

describe('an email is sent', () => {
  it('to the owner and admins of a team, but not to members, and names the team', async () => {
    const [owner, admin, member] = await Promise.all([harness.person(), harness.person(), harness.person()]);
    const slug = `team-${newId('request').slice(-8)}`;
    const teamId = await harness.team(owner.userId, slug, 0n);
    await harness.runtime.db.insert(memberships).values([
      { accountId: teamId, userId: admin.userId, role: 'admin' },
      { accountId: teamId, userId: member.userId, role: 'member' },
    ]);
    await enqueue(teamId, 'dispute_opened');
    await send();
    expect(mail.sent.map(({ to }) => to).sort()).toEqual(
      [emailOf(owner.userId), emailOf(admin.userId)].sort(),
    );
    expect(mail.sent[0]?.text).toContain(`http://gateway.test/dashboard/billing?billing=${slug}`);
  });

  it('to no one for a closed account or a deleted user', async () => {
    const [closed, gone] = await Promise.all([harness.person(), harness.person()]);
    await sql()`update accounts set closed_at = now() where id = ${closed.accountId}`;
    await sql()`update users set email = ${`${gone.userId}@deleted.invalid`} where id = ${gone.userId}`;
    await enqueue(closed.accountId, 'dispute_opened');
    await enqueue(gone.accountId, 'dispute_opened');
    await enqueue('acct_nowhere', 'dispute_opened');
    await send();
    expect(mail.sent).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it('to the other recipients if one address bounces, once', async () => {
    const [owner, admin] = await Promise.all([harness.person(), harness.person()]);
    const teamId = await harness.team(owner.userId, `team-${newId('request').slice(-8)}`, 0n);
    await harness.runtime.db
      .insert(memberships)
      .values({ accountId: teamId, userId: admin.userId, role: 'admin' });
    mail.unknown.add(emailOf(admin.userId));
    await enqueue(teamId, 'dispute_opened');
    await send();
    await due();
    await send();
    expect(mail.sent.map(({ to }) => to)).toEqual([emailOf(owner.userId)]);
    expect(harness.log.join('')).toContain('email.recipient_failed');
  });

  it('after retries while the mail server is down, once when it is back @E11', async () => {
    const { accountId, userId } = await harness.person();
    await enqueue(accountId, 'dispute_opened');
    mail.down = true;
    await send();
    await send();
    expect(await rows()).toMatchObject([{ attempts: 1, sent: false }]);
    await due();
    await send();
    mail.down = false;
    await send();
    expect(mail.sent).toEqual([]);
    await due();
    await send();
    await due();
    await send();
    expect(mail.to(emailOf(userId))).toHaveLength(1);
    expect(await rows()).toMatchObject([{ attempts: 3, sent: true }]);
  });

  it('no longer after ten attempts, which is logged', async () => {
    const { accountId } = await harness.person();
    await enqueue(accountId, 'dispute_opened');
    mail.down = true;
    for (let i = 0; i < 12; i++) {
      await send();
      await due();
    }
    expect(await rows()).toMatchObject([{ attempts: 10, sent: false }]);
    expect(harness.log.filter((line) => line.includes('email.given_up'))).toHaveLength(1);
    mail.down = false;
    await send();
    expect(mail.sent).toEqual([]);
  });

  it('once, by the first of many processes that leases it', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => harness.person()));
    for (const { accountId } of people) await enqueue(accountId, 'dispute_opened');
    await Promise.all([send(), send(other), send(), send(other)]);
    for (const { userId } of people) expect(mail.to(emailOf(userId))).toHaveLength(1);
  });

  it('not at all without a mail server: it is stored and marked, and logged once', async () => {
    const bare = await startHarness({ ports: { mail: null }, role: 'command', peer: harness });
    const { accountId } = await harness.person();
    await enqueue(accountId, 'dispute_opened');
    await send(bare);
    await send(bare);
    expect(bare.log.filter((line) => line.includes('email.no_server'))).toHaveLength(1);
    await send();
    expect(mail.sent).toEqual([]);
    expect(await rows()).toMatchObject([{ sent: false }]);
    await bare.close();
  });
});

it('the email about a declined reload names the amount, the card and the reason', async () => {
  const person = await createReloadPerson(harness, payments, {
    credit: 0n,
    card: { brand: 'visa', last4: '0341' },
  });
  const order = newId('reload');
  await sql()`
    insert into orders (id, kind, mode, account_id, created_by, credits_microusd, fee_microusd, total_cents, status,
      failure_code, customer_id, payment_method_id, finished_at)
    values (${order}, 'reload', ${payments.mode}, ${person.accountId}, 'system:reloads', 20000000, 1100000, 2110, 'failed',
      'expired_card', ${person.customerId}, ${person.card.paymentMethodId}, now())`;
  await enqueue(person.accountId, 'reload_declined', order);
  await send();
  const text = mail.sent[0]?.text;
  expect(text).toContain('$21.10 ($20.00 of credit and a fee of $1.10) to Visa •••• 0341');
  expect(text).toContain('it has expired');
});

it('emails are deleted a month after they were sent or could not be sent', async () => {
  const { accountId } = await harness.person();
  const insert = (created: string, sent: string | null) => sql()`
    insert into outgoing_emails (kind, account_id, created_at, sent_at)
    values ('low_balance', ${accountId}, now() - ${created}::interval, now() - ${sent}::interval)`;
  await insert('40 days', '31 days');
  await insert('31 days', null);
  await insert('40 days', '29 days');
  await insert('29 days', null);
  expect((await sweep(harness.runtime)).removed).toMatchObject({ mails: 2 });
  expect(await rows()).toHaveLength(2);
});
