import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '@/db/client';
import { connect } from '@/db/client';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';
import { grantAccount } from '../billing/grant-account';
import { reconcilePayment } from '../payments/reconcile-payment';
import { type Difference, reconcile } from './reconcile';
import { RECONCILE_CHECKS, type ReconcileCheck } from './reconcile-store';

const payments = new FakePayments();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    ports: { payments },
    env: { PROVISION_PER_HOUR: '100000', PROVISION_PER_DAY: '100000' },
  });
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;

const call = (key: string, skill: 'spend' | 'flaky' | 'echo', input: object) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input } });
const pay = (key: string, usd: number) => call(key, 'spend', { amount_usd: usd });
const failPaid = (key: string) => call(key, 'flaky', { mode: 'throw' });
const grant = (accountId: string, amount: bigint) =>
  grantAccount(harness.runtime, 'operator:test', { accountId, amount, ref: newId('request'), memo: 'test' });

/** Provisions an account, uses a free tool, grants it credit, and has the person claim both. */
async function provisionAndClaim({ key }: Pick<Person, 'key'>, amount: bigint): Promise<string> {
  const { body } = await harness.request('POST', '/v1/auth/provision');
  await call(body.api_key, 'echo', { message: 'hello' });
  if (amount > 0n) await grant(body.account_id, amount);
  const token = new URL(body.claim_url).searchParams.get('token');
  const claimed = await harness.request('POST', '/v1/auth/claim', { key, json: { token } });
  expect(claimed.status).toBe(200);
  return body.account_id;
}

/** A paid call that became a job and has completed. */
async function runJob(key: string): Promise<string> {
  const { body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } },
    headers: { prefer: 'wait=0' },
  });
  const job = await harness.request('GET', `/v1/jobs/${body.job_id}`, { key });
  expect(job.body.status).toBe('completed');
  return body.job_id;
}

const differences = async () => (await reconcile(harness.runtime)).differences;

describe('reconcile', () => {
  it('finds nothing after any sequence of calls, failures, grants, allowances and claims @A16', async () => {
    const step = fc.oneof(
      fc.record({ act: fc.constant('pay' as const), micros: fc.integer({ min: 1, max: 400_000 }) }),
      fc.record({ act: fc.constant('together' as const), micros: fc.integer({ min: 1, max: 200_000 }) }),
      fc.record({ act: fc.constant('fail' as const), micros: fc.constant(0) }),
      fc.record({ act: fc.constant('grant' as const), micros: fc.integer({ min: 1, max: 900_000 }) }),
      fc.record({ act: fc.constant('allow' as const), micros: fc.integer({ min: 1, max: 300_000 }) }),
      fc.record({ act: fc.constant('claim' as const), micros: fc.integer({ min: 0, max: 900_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const person = await harness.person(300_000n);
        // A key with an allowance may not manage the account.
        const manager = await harness.addKey(person.accountId);
        for (const { act, micros } of steps) {
          const usd = micros / 1e6;
          if (act === 'pay') await pay(person.key, usd);
          if (act === 'together') await Promise.all([1, 2, 3, 4].map(() => pay(person.key, usd)));
          if (act === 'fail') await failPaid(person.key);
          if (act === 'grant') await grant(person.accountId, BigInt(micros));
          if (act === 'allow') {
            const target = `/v1/keys/${person.keyId}/credits`;
            await harness.request('POST', target, { key: manager.key, json: { amount: usd } });
          }
          if (act === 'claim') await provisionAndClaim(manager, BigInt(micros));
        }
        expect(await differences()).toEqual([]);
      }),
      { numRuns: 4 },
    );
  });

  it('finds nothing while calls run, as holds and slots match the open calls', async () => {
    const { accountId, key, keyId } = await harness.person(1_000_000n);
    const { flush } = harness.runtime;
    const open = {
      id: newId('call'),
      keyId,
      accountId,
      billing: 'personal',
      tool: 'diagnostics',
      skill: 'spend',
      rulesVersion: 0,
    };
    expect(await flush.admitCall({ ...open, hold: 500_000n, durable: false })).toMatchObject({
      outcome: 'opened',
    });
    const paying = Array.from({ length: 4 }, () => pay(key, 0.01));
    for (let i = 0; i < 10; i++) expect(await differences()).toEqual([]);
    await Promise.all(paying);
    const cost = { success: true, markup: 400_000n, raw: 0n, byok: false, errorCode: null, latencyMs: 5 };
    await flush.endCall({ id: open.id, keyId, ...cost, response: null });
    expect(await differences()).toEqual([]);
  });
});

describe('reconcile detects a violation of', () => {
  let person: Person;
  let other: Person;
  let paidCall: string;
  let otherCall: string;
  let freeCall: string;
  let completedJob: string;
  let claimedAccount: string;
  let claimedKey: string;
  let paymentId: string;

  beforeAll(async () => {
    person = await harness.person(1_000_000n);
    other = await harness.person(1_000_000n);
    paidCall = (await pay(person.key, 0.25)).body.id;
    otherCall = (await pay(other.key, 0.25)).body.id;
    await pay(person.key, 0.05);
    freeCall = (await call(person.key, 'echo', { message: 'x' })).body.id;
    completedJob = await runJob(person.key);
    claimedAccount = await provisionAndClaim(person, 500_000n);
    const [row] = await harness.runtime
      .sql`select id from api_keys where origin_account_id = ${claimedAccount}`;
    claimedKey = row?.id;
    const checkout = { key: person.key, json: { amount_usd: 10 } };
    const { body } = await harness.request('POST', '/v1/billing/checkout', checkout);
    paymentId = payments.complete(`cs_${body.order_id}`);
    await reconcilePayment(harness.runtime, payments, paymentId);
    expect(await differences()).toEqual([]);
  });

  /** Corrupts the books, collects the differences, and rolls back. */
  async function broken(work: (sql: Sql) => Promise<unknown>): Promise<[Difference['check'], string][]> {
    const { sql, db, close } = connect(harness.runtime.settings.databaseUrl, 1);
    try {
      await sql`begin`;
      await sql`alter table ledger_entries disable trigger ledger_entries_append_only`;
      await work(sql);
      // The only connection is in a transaction, which another one inside would end.
      const inside = { ...db, transaction: (read: (tx: typeof db) => unknown) => read(db) };
      const { differences } = await reconcile({ ...harness.runtime, db: inside as unknown as typeof db });
      return differences.map(({ check, subject }) => [check, subject]);
    } finally {
      await sql`rollback`;
      await close();
    }
  }

  const cases: Record<ReconcileCheck, { breakIt: (sql: Sql) => Promise<unknown>; subject: () => string }> = {
    'balance equals ledger': {
      breakIt: (sql) =>
        sql`update accounts set balance_microusd = balance_microusd + 1 where id = ${person.accountId}`,
      subject: () => person.accountId,
    },
    'account hold equals its open calls': {
      breakIt: (sql) => sql`update accounts set held_microusd = 7 where id = ${person.accountId}`,
      subject: () => person.accountId,
    },
    'key hold equals its open calls': {
      breakIt: (sql) => sql`update api_keys set credits_held_microusd = 7 where id = ${person.keyId}`,
      subject: () => person.keyId,
    },
    'key slots equal its open calls': {
      breakIt: (sql) => sql`update api_keys set running = 1 where id = ${person.keyId}`,
      subject: () => person.keyId,
    },
    'call entry equals usage record': {
      breakIt: (sql) => sql`update ledger_entries set ref = 'call_nowhere' where ref = ${paidCall}`,
      subject: () => paidCall,
    },
    'call entries equal roll-ups': {
      // Without any record to compare with: all are older than the retention mark.
      async breakIt(sql) {
        await sql`delete from usage_records`;
        await sql`insert into retention_marks values ('usage_records', now() + interval '1 month')`;
        await sql`update usage_rollups set markup_microusd = markup_microusd + 1 where key_id = ${person.keyId} and tool = 'diagnostics'`;
        await sql`update api_keys set credits_used_microusd = (
          select sum(raw_cost_microusd + markup_microusd) from usage_rollups where key_id = ${person.keyId}
        ) where id = ${person.keyId}`;
      },
      subject: () => person.accountId,
    },
    'call entry is on the account of its usage record': {
      async breakIt(sql) {
        const entries = sql`ledger_entries where ref in (${paidCall}, ${otherCall})`;
        await sql`create temp table swapped on commit drop as select ref, account_id from ${entries}`;
        await sql`update ledger_entries e set account_id = s.account_id from swapped s
          where e.ref in (${paidCall}, ${otherCall}) and s.ref in (${paidCall}, ${otherCall}) and s.ref <> e.ref`;
      },
      subject: () => paidCall,
    },
    'call has one usage record': {
      async breakIt(sql) {
        await sql`create temp table twin on commit drop as select * from usage_records where id = ${freeCall}`;
        await sql`update twin set account_id = ${other.accountId}`;
        await sql`insert into usage_records select * from twin`;
        await sql`insert into usage_rollups select ${other.accountId}, date_trunc('hour', finished_at, 'UTC'), key_id, tool,
          1, 0, 0, 0, 0, latency_ms from twin`;
      },
      subject: () => freeCall,
    },
    'call is open or closed, not both': {
      async breakIt(sql) {
        await sql`insert into calls select id, key_id, account_id, billing, tool, skill, 0, 'x', now(), now()
          from usage_records where id = ${freeCall}`;
        await sql`update api_keys set running = 1 where id = ${person.keyId}`;
      },
      subject: () => freeCall,
    },
    'roll-up equals usage records': {
      breakIt: (sql) =>
        sql`update usage_rollups set calls = calls + 1 where key_id = ${person.keyId} and account_id = ${person.accountId}`,
      subject: () => `${person.accountId} ${person.keyId} diagnostics`,
    },
    'day equals its hours': {
      async breakIt(sql) {
        await sql`insert into retention_marks values ('usage_days', now() + interval '2 days')`;
        await sql`insert into usage_days select account_id, date_trunc('day', hour, 'UTC'), key_id, tool, sum(calls), sum(failed),
          sum(byok_calls), sum(raw_cost_microusd), sum(markup_microusd), sum(latency_ms_sum)
          from usage_rollups group by 1, 2, 3, 4`;
        await sql`update usage_days set calls = calls + 1 where key_id = ${person.keyId} and account_id = ${person.accountId}`;
      },
      subject: () => `${person.accountId} ${person.keyId} diagnostics`,
    },
    'key spending equals its roll-ups': {
      breakIt: (sql) => sql`update api_keys set credits_used_microusd = 1 where id = ${person.keyId}`,
      subject: () => person.keyId,
    },
    'unfinished job has a call or waits for one': {
      breakIt: (sql) =>
        sql`update jobs set status = 'running', result = null, finished_at = null where id = ${completedJob}`,
      subject: () => completedJob,
    },
    'finished job has no open call': {
      async breakIt(sql) {
        await sql`insert into jobs (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable,
          created_at, finished_at)
          select 'job_twin', 'call_twin', account_id, key_id, billing, tool, skill, 'failed', false, false, now(), now()
          from jobs where id = ${completedJob}`;
        await sql`insert into calls select call_id, key_id, account_id, billing, tool, skill, 0, 'x', now(), now()
          from jobs where id = 'job_twin'`;
        await sql`update api_keys set running = 1 where id = ${person.keyId}`;
      },
      subject: () => 'job_twin',
    },
    'job ended as its call did': {
      breakIt: (sql) => sql`update jobs set status = 'failed', result = null where id = ${completedJob}`,
      subject: () => completedJob,
    },
    'transfer nets to zero': {
      async breakIt(sql) {
        await sql`update ledger_entries set amount_microusd = amount_microusd + 1
          where kind = 'claim_in' and ref = ${claimedAccount}`;
        await sql`update accounts set balance_microusd = balance_microusd + 1 where id = ${person.accountId}`;
      },
      subject: () => claimedAccount,
    },
    'entry has the sign of its kind': {
      breakIt: (sql) =>
        sql`update ledger_entries set kind = 'claim_out', ref = 'wrong' where kind = 'grant' and account_id = ${other.accountId}`,
      subject: () => 'claim_out wrong',
    },
    'payment equals its entries': {
      breakIt: (sql) =>
        sql`update payments set refunded_microusd = refunded_microusd + 1 where id = ${paymentId}`,
      subject: () => paymentId,
    },
    'payment entry is on the account of its payment': {
      async breakIt(sql) {
        await sql`update ledger_entries set account_id = ${other.accountId} where ref = ${`${paymentId}:1`}`;
        await sql`update accounts set balance_microusd = balance_microusd - 10000000 where id = ${person.accountId}`;
        await sql`update accounts set balance_microusd = balance_microusd + 10000000 where id = ${other.accountId}`;
      },
      subject: () => `${paymentId}:1`,
    },
    'payment is what was ordered': {
      breakIt: (sql) => sql`update payments set mode = 'test' where id = ${paymentId}`,
      subject: () => paymentId,
    },
    'account waits for its disputes only': {
      breakIt: (sql) => sql`update accounts set disputed_at = now() where id = ${person.accountId}`,
      subject: () => person.accountId,
    },
    'account is not negative': {
      async breakIt(sql) {
        await sql`alter table accounts drop constraint accounts_month_spent_not_negative`;
        await sql`update accounts set month_spent_microusd = -1 where id = ${person.accountId}`;
      },
      subject: () => person.accountId,
    },
    'key is not negative and within its credits': {
      async breakIt(sql) {
        await sql`alter table api_keys drop constraint api_keys_within_credits`;
        await sql`update api_keys set credits_microusd = 1 where id = ${person.keyId}`;
      },
      subject: () => person.keyId,
    },
    'claimed account is empty': {
      breakIt: (sql) => sql`update api_keys set account_id = ${claimedAccount} where id = ${claimedKey}`,
      subject: () => claimedAccount,
    },
  };

  it.each(Object.keys(RECONCILE_CHECKS) as ReconcileCheck[])('%s', async (check) => {
    const found = await broken(cases[check].breakIt);
    expect([...new Set(found.map(([name]) => name))]).toEqual([check]);
    expect(found[0]?.[1]).toContain(cases[check].subject());
  });
});

describe('reconcile with the payment provider', () => {
  it('compares every payment with its objects, and reports differences in both directions', async () => {
    const buyer = await harness.person();
    const buy = async () => {
      const asked = { key: buyer.key, json: { amount_usd: 10 } };
      const { body } = await harness.request('POST', '/v1/billing/checkout', asked);
      return payments.complete(`cs_${body.order_id}`);
    };
    const [fine, refunded, lost, missed] = [await buy(), await buy(), await buy(), await buy()];
    for (const id of [fine, refunded, lost]) await reconcilePayment(harness.runtime, payments, id);
    payments.objects(refunded).refundedCents = 540;
    const { provider, differences } = await (async () => {
      payments.facts.delete(lost);
      return await reconcile(harness.runtime, true);
    })();
    expect(provider).toBeGreaterThanOrEqual(3);
    expect(differences.map(({ check, subject, actual }) => [check, subject, actual]).sort()).toEqual(
      [
        ['payment equals the provider', refunded, '1080 cents usd, credit 10000000 - 0 - 0'],
        ['payment equals the provider', missed, 'not credited'],
        ['payment is known to the provider', lost, '1080 cents usd, credit 10000000 - 0 - 0'],
      ].sort(),
    );
    for (const id of [refunded, missed]) await reconcilePayment(harness.runtime, payments, id);
    const after = await reconcile(harness.runtime, true);
    expect(after.differences.map(({ subject }) => subject)).toEqual([lost]);
  }, 120_000);
});
