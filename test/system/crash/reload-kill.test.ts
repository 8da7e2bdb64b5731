// A reload is charged once and credited once, also when its process is killed between the two or at
// a random moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNLIMITED_RATES } from '../../support/unlimited-rates';
import { type Account, createAccount, findDifferences, getBalance } from '../fixtures/accounts';
import { embeddedDatabase, openDatabase, type Sql } from '../fixtures/embedded-database';
import { diagnostics, send } from '../fixtures/gateway-client';
import { findSecrets } from '../fixtures/gateway-secrets';
import { RestartableGateway } from '../fixtures/restartable-gateway';
import { saveResult } from '../fixtures/test-results';
import { waitUntil } from '../fixtures/wait-until';

interface ReloadOrder {
  id: string;
  account_id: string;
  status: string;
  payment_id: string | null;
  attempts: number;
}

const SETTINGS = { LEASE_SECONDS: '4', ...UNLIMITED_RATES, CONCURRENT_CALLS: '12' };
const CARD = '4242 4242 4242 4242';
const BOUGHT_USD = 6;
const THRESHOLD_USD = 5;
const RELOAD_USD = 20;
const SPENT_CALLS = 2;
/** Micro-dollars. */
const BALANCE_AFTER = (BOUGHT_USD + RELOAD_USD - SPENT_CALLS) * 1e6;

const KILLS_BETWEEN = 2;
const RANDOM_KILLS = 3;
const ACCOUNTS_PER_KILL = 3;
/** A reload takes tens of milliseconds after the call that triggers it. */
const MAX_KILL_DELAY_MS = 120;
const RECOVERY_INTERVAL_MS = 250;
const SCENARIO_MS = 600_000;

let gateway: RestartableGateway;
const accounts: Account[] = [];
/** For kills between charge and credit: number of credited payments at the kill. */
const creditedAtKill: number[] = [];
const listIds = () => accounts.map(({ id }) => id);

beforeAll(async () => {
  gateway = await RestartableGateway.start(SETTINGS);
  for (let n = 0; n < KILLS_BETWEEN; n++) {
    const account = await createBuyer(`between-${n}`);
    accounts.push(account);
    creditedAtKill.push(await killBetween(account));
    // The first is found by the ten-second timer, the others by a notification.
    await waitForReloads({ notify: n > 0 });
  }
  for (let n = 0; n < RANDOM_KILLS; n++) {
    const names = Array.from({ length: ACCOUNTS_PER_KILL }, (_, i) => `any-${n}-${i}`);
    const buyers = await Promise.all(names.map(createBuyer));
    accounts.push(...buyers);
    await Promise.all(buyers.map(spendBelowThreshold));
    await sleep(Math.random() * MAX_KILL_DELAY_MS);
    await gateway.killAndRestart({ withDatabase: n === RANDOM_KILLS - 1 });
    await waitForReloads({ notify: true });
  }
}, SCENARIO_MS);

afterAll(async () => {
  saveResult('crash/reloads.log', gateway.log());
  await gateway.stop();
});

for (let n = 0; n < KILLS_BETWEEN; n++)
  test(`kill ${n + 1} hits the process after the charge and before the credit`, () => {
    // The one payment is from the checkout.
    expect(creditedAtKill[n]).toBe(1);
  });

test('each account has one paid reload', async () => {
  const orders = await gateway.sql<ReloadOrder[]>`
    select id, account_id, status, payment_id, attempts from orders
    where kind = 'reload' and account_id = any(${listIds()})`;
  expect(findNotOne(orders)).toEqual([]);
  expect(orders.filter(({ status }) => status !== 'paid')).toEqual([]);
});

test('the provider charges each card once', async () => {
  expect(findNotOne(await listCharges(gateway.sql, listIds()))).toEqual([]);
});

test('each charge is credited once, in full', async () => {
  const entries = await gateway.sql<{ ref: string; account_id: string; amount: number }[]>`
    select e.ref, e.account_id, e.amount_microusd::int as amount from ledger_entries e join orders o
      on o.payment_id = split_part(e.ref, ':', 1)
    where e.kind = 'purchase' and o.kind = 'reload'`;
  expect(findNotOne(entries)).toEqual([]);
  expect(entries.filter(({ amount }) => amount !== RELOAD_USD * 1e6)).toEqual([]);
});

test('each balance equals purchases minus spending', async () => {
  const balances = await Promise.all(accounts.map((account) => getBalance(gateway.baseUrl, account)));
  expect(new Set(balances)).toEqual(new Set([BALANCE_AFTER]));
});

test('reconcile finds no difference after the kills', async () => {
  expect(await findDifferences(gateway)).toEqual([]);
});

test('no secret is in the log, the database or a file', async () => {
  const keys = accounts.flatMap(({ keys }) => keys);
  expect(await findSecrets({ env: gateway.env, log: () => gateway.log() }, keys)).toEqual([]);
});

/** Creates an account that bought credit, saved its card and turned auto-recharge on. */
async function createBuyer(name: string): Promise<Account> {
  const account = await createAccount(gateway, `reload-${name}`, { keys: 1, creditUsd: 0 });
  const [key = ''] = account.keys;
  const { baseUrl } = gateway;
  const checkout = await send<{ url: string }>(`${baseUrl}/v1/billing/checkout`, key, 'POST', {
    json: { amount_usd: BOUGHT_USD, save_card: true },
  });
  if (checkout.status !== 200) throw new Error(`Checkout failed: ${JSON.stringify(checkout.body)}`);
  await payCheckout(`${baseUrl}${new URL(checkout.body.url ?? '').pathname}`);
  await waitUntil(
    'the credit is added',
    async () => (await getBalance(baseUrl, account)) === BOUGHT_USD * 1e6,
  );
  const preferences = {
    autoReloadEnabled: true,
    autoReloadThreshold: THRESHOLD_USD,
    autoReloadAmount: RELOAD_USD,
  };
  const set = await send<{ saved_card: unknown }>(`${baseUrl}/v1/billing/preferences`, key, 'PUT', {
    json: preferences,
  });
  if (!set.body.saved_card) throw new Error(`The card was not saved: ${JSON.stringify(set.body)}`);
  return account;
}

/** Pays on a checkout page as a person does. */
async function payCheckout(page: string): Promise<void> {
  const html = await (await fetch(page)).text();
  const nonce = /name="nonce" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const card = { number: CARD, expiry: '12/34', cvc: '123', name: 'Pat Tester', email: 'pat@system.test' };
  const body = new URLSearchParams({ nonce, means: 'card', ...card });
  const paid = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  if (paid.status !== 303) throw new Error(`The checkout page returned ${paid.status}`);
}

async function spendBelowThreshold({ keys: [key = ''] }: Account): Promise<void> {
  const json = diagnostics('spend', { amount_usd: 1 });
  for (let n = 0; n < SPENT_CALLS; n++) {
    const { status, body } = await send(`${gateway.baseUrl}/v1/tools/call`, key, 'POST', { json });
    if (status !== 200) throw new Error(`A paid call failed: ${JSON.stringify(body)}`);
  }
}

/**
 * Locks the payments table, so that the credit waits, and kills the process once the card is
 * charged.
 * @returns the number of credited payments of the account at the kill
 */
async function killBetween(account: Account): Promise<number> {
  const { sql } = gateway;
  const obstacle = openDatabase(embeddedDatabase(gateway.dataDir).url);
  try {
    await obstacle`begin`;
    await obstacle`lock table payments in share mode`;
    await spendBelowThreshold(account);
    await waitUntil('the charge is made', async () => (await listCharges(sql, [account.id])).length === 1);
    await waitUntil('the credit waits', async () => {
      const [row] = await sql<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'`;
      return (row?.waiting ?? 0) > 0;
    });
    const credited = await sql`select id from payments where account_id = ${account.id}`;
    await gateway.killAndRestart();
    await obstacle`rollback`;
    return credited.length;
  } finally {
    await obstacle.end({ timeout: 1 });
  }
}

/** Expires the leases of dead processes and waits until every reload has finished. */
async function waitForReloads({ notify }: { notify: boolean }): Promise<void> {
  const { sql } = gateway;
  await sql`update fake_stripe.requests set started_at = started_at - interval '2 minutes' where status is null`;
  await waitUntil(
    'every reload has finished',
    async () => {
      await sql`
        update orders set lease_expires_at = now() - interval '1 second'
        where status = 'open' and lease_expires_at > now() + interval '5 seconds'`;
      if (notify) await sql`select pg_notify('gateway', 'money')`;
      const [row] = await sql<{ open: number }[]>`
        select (select count(*) from orders where kind = 'reload' and status = 'open')::int
          + (select count(*) from accounts where reload_wanted_at is not null)::int as open`;
      return row?.open === 0;
    },
    { intervalMs: RECOVERY_INTERVAL_MS },
  );
}

/** Lists the successful payments for reloads of these accounts. */
async function listCharges(sql: Sql, accountIds: string[]): Promise<{ id: string; account_id: string }[]> {
  return await sql<{ id: string; account_id: string }[]>`
    select i.id, o.account_id from fake_stripe.objects i join orders o on o.id = i.data->'metadata'->>'order_id'
    where i.kind = 'payment_intent' and i.data->>'status' = 'succeeded' and o.kind = 'reload'
      and o.account_id = any(${accountIds})`;
}

/** Returns the rows of each account that does not have exactly one. */
function findNotOne<Row extends { account_id: string }>(rows: Row[]): Row[][] {
  return listIds()
    .map((id) => rows.filter((row) => row.account_id === id))
    .filter((own) => own.length !== 1);
}
