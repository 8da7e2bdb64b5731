// A reload is charged once and credited once when its process dies: killed surely between the two, and at any moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { findSecrets } from '../gateway-secrets.mjs';
import { balanceOf, createAccount } from './accounts.mjs';
import { diagnostics, send } from './client.mjs';
import { embeddedDatabase, openDatabase } from './database.mjs';
import { MortalGateway } from './mortal-gateway.mjs';

/** @typedef {import('./checks.mjs').Checks} Checks */
/** @typedef {import('./accounts.mjs').Account} Account */

const SETTINGS = { LEASE_SECONDS: '4', RATE_PER_MINUTE: '100000', CONCURRENT_CALLS: '12' };
const PAYS = '4242 4242 4242 4242';
/** Its charge is made two seconds after it was asked for: time to stand in the way of what comes then. */
const PAYS_SLOWLY = '4000 0000 0000 8888';
/** Dollars, and micro-dollars. */
const BOUGHT_USD = 6;
const THRESHOLD_USD = 5;
const RELOAD_USD = 20;
const SPENT_CALLS = 2;
const AFTER = (BOUGHT_USD + RELOAD_USD - SPENT_CALLS) * 1e6;

const SURE_KILLS = 2;
const RANDOM_KILLS = 4;
const ACCOUNTS_PER_KILL = 3;
/** A reload takes some tens of milliseconds after the call that asks for it. */
const MOST_KILL_DELAY_MS = 120;
const DEADLINE_MS = 60_000;
const POLL_MS = 20;
const HEAL_MS = 250;

/**
 * @param {Checks} checks
 * @param {(log: string) => void} keepLog
 */
export async function runReloadKill(checks, keepLog) {
  const gateway = await MortalGateway.start(SETTINGS);
  /** @type {Account[]} */
  const accounts = [];
  try {
    for (let n = 0; n < SURE_KILLS; n++) {
      const account = await createBuyer(gateway, `sure-${n}`, PAYS_SLOWLY);
      accounts.push(account);
      const problems = await killBetween(gateway, account);
      checks.holds('a process is killed after its charge and before the credit', problems);
      await heal(gateway);
    }
    for (let n = 0; n < RANDOM_KILLS; n++) {
      const names = Array.from({ length: ACCOUNTS_PER_KILL }, (_, i) => `any-${n}-${i}`);
      const crossing = await Promise.all(names.map((name) => createBuyer(gateway, name, PAYS)));
      accounts.push(...crossing);
      await Promise.all(crossing.map((account) => cross(gateway, account)));
      await sleep(Math.random() * MOST_KILL_DELAY_MS);
      await gateway.dieAndReturn({ withDatabase: n === RANDOM_KILLS - 1 });
      await heal(gateway);
    }
    await judge(checks, gateway, accounts);
    const leaks = await findSecrets({ env: { DATA_DIR: gateway.dataDir }, log: () => gateway.log() }, []);
    checks.holds('no secret is in the log, the database or a file', leaks);
  } finally {
    keepLog(gateway.log());
    await gateway.stop();
  }
}

/**
 * An account that has bought credit with a card it keeps, and has auto-reload on.
 * @param {MortalGateway} gateway
 * @param {string} name
 * @param {string} number
 */
async function createBuyer(gateway, name, number) {
  const account = await createAccount(gateway, `reload-${name}`, { keys: 1, creditUsd: 0 });
  const key = String(account.keys[0]);
  const { baseUrl } = gateway;
  const json = { amount_usd: BOUGHT_USD, save_card: true };
  const checkout = await send(`${baseUrl}/v1/billing/checkout`, key, 'POST', { json });
  if (checkout.status !== 200) throw new Error(`No checkout: ${JSON.stringify(checkout.body)}`);
  await fillIn(`${baseUrl}${new URL(checkout.body.url).pathname}`, number);
  await until('the credit is there', async () => (await balanceOf(baseUrl, account)) === BOUGHT_USD * 1e6);
  const preferences = {
    autoReloadEnabled: true,
    autoReloadThreshold: THRESHOLD_USD,
    autoReloadAmount: RELOAD_USD,
  };
  const set = await send(`${baseUrl}/v1/billing/preferences`, key, 'PUT', { json: preferences });
  if (!set.body.saved_card) throw new Error(`No saved card: ${JSON.stringify(set.body)}`);
  return account;
}

/**
 * Pays on the page of a checkout as a person does.
 * @param {string} page
 * @param {string} number
 */
async function fillIn(page, number) {
  const html = await (await fetch(page)).text();
  const nonce = /name="nonce" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const card = { number, expiry: '12/34', cvc: '123', name: 'Pat Pretend', email: 'pat@crash.test' };
  const body = new URLSearchParams({ nonce, means: 'card', ...card });
  const paid = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  if (paid.status !== 303) throw new Error(`The checkout page answered ${paid.status}`);
}

/**
 * Spends until less than the threshold is left.
 * @param {MortalGateway} gateway
 * @param {Account} account
 */
async function cross({ baseUrl }, { keys }) {
  const json = diagnostics('spend', { amount_usd: 1 });
  for (let n = 0; n < SPENT_CALLS; n++) {
    const { status, body } = await send(`${baseUrl}/v1/tools/call`, String(keys[0]), 'POST', { json });
    if (status !== 200) throw new Error(`A call was not paid: ${JSON.stringify(body)}`);
  }
}

/**
 * Nobody can credit the account while its row is locked: the process is killed when its charge is made and it waits there.
 * @param {MortalGateway} gateway
 * @param {Account} account
 * @returns {Promise<string[]>}
 */
async function killBetween(gateway, account) {
  const { sql } = gateway;
  const obstacle = openDatabase(embeddedDatabase(gateway.dataDir).url);
  try {
    await cross(gateway, account);
    await until('the reload is being charged', async () => {
      const [order] =
        await sql`select 1 from orders where account_id = ${account.id} and kind = 'reload' and attempts = 1`;
      return order !== undefined;
    });
    await obstacle`begin`;
    await obstacle`select 1 from accounts where id = ${account.id} for update`;
    await until('the charge is made', async () => (await chargesOf(sql, [account.id])).length === 1);
    await until('the credit waits', async () => {
      const [row] = await sql`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`;
      return row?.n > 0;
    });
    const credited = await sql`select id from payments where account_id = ${account.id}`;
    await gateway.dieAndReturn({ withDatabase: false });
    await obstacle`rollback`;
    // The one of the checkout.
    return credited.length === 1 ? [] : [`${credited.length} payments were credited before the kill`];
  } finally {
    await obstacle.end({ timeout: 1 });
  }
}

/**
 * Lets leases run out and every reload come to its end. Requests that the stand-in was working on died with the process.
 * @param {MortalGateway} gateway
 */
async function heal({ sql }) {
  await sql`update stripe_standin.requests set started_at = started_at - interval '2 minutes' where status is null`;
  await until(
    'every reload has come to its end',
    async () => {
      await sql`
        update orders set lease_expires_at = now() - interval '1 second'
        where status = 'open' and lease_expires_at > now() + interval '5 seconds'`;
      const [row] = await sql`
        select (select count(*) from orders where kind = 'reload' and status = 'open')::int
          + (select count(*) from accounts where reload_wanted_at is not null)::int as left`;
      return row?.left === 0;
    },
    HEAL_MS,
  );
}

/**
 * @param {Checks} checks
 * @param {MortalGateway} gateway
 * @param {Account[]} accounts
 */
async function judge(checks, gateway, accounts) {
  const { sql } = gateway;
  const ids = accounts.map(({ id }) => id);
  const charges = await chargesOf(sql, ids);
  const orders = await sql`
    select id, account_id, status, payment_id, attempts from orders where kind = 'reload' and account_id = any(${ids})`;
  const entries = await sql`
    select e.ref, e.account_id, e.amount_microusd::int as amount from ledger_entries e join orders o
      on o.payment_id = split_part(e.ref, ':', 1)
    where e.kind = 'purchase' and o.kind = 'reload'`;
  const again = orders.filter(({ attempts }) => attempts > 1).length;
  console.log(
    `  ${accounts.length} reloads, killed ${gateway.kills} times; ${again} were gone on with by another process`,
  );

  const perAccount = (/** @type {any[]} */ rows) =>
    ids.map((id) => rows.filter((row) => row.account_id === id));
  const notOne = (/** @type {any[]} */ rows) =>
    perAccount(rows).flatMap((own) => (own.length === 1 ? [] : [JSON.stringify(own)]));
  checks.holds('each account has one reload, and it is paid', [
    ...notOne(orders),
    ...orders.filter(({ status }) => status !== 'paid').map((order) => JSON.stringify(order)),
  ]);
  checks.holds('the provider has charged each card once', notOne(charges));
  checks.holds('each charge is credited once, in full', [
    ...notOne(entries),
    ...entries.filter(({ amount }) => amount !== RELOAD_USD * 1e6).map((entry) => JSON.stringify(entry)),
  ]);
  const wrong = [];
  for (const account of accounts) {
    const balance = await balanceOf(gateway.baseUrl, account);
    if (balance !== AFTER) wrong.push(`${account.id} has ${balance}`);
  }
  checks.holds('each balance is what was bought, less what was spent', wrong);
  checks.equals('reconcile finds no difference after the kills', (await reconcile(gateway)).differences, []);
}

/**
 * Payments that took money for reloads of these accounts.
 * @param {import('./database.mjs').Sql} sql
 * @param {string[]} accountIds
 */
async function chargesOf(sql, accountIds) {
  return await sql`
    select i.id, o.account_id from stripe_standin.objects i join orders o on o.id = i.data->'metadata'->>'order_id'
    where i.kind = 'payment_intent' and i.data->>'status' = 'succeeded' and o.kind = 'reload'
      and o.account_id = any(${accountIds})`;
}

/** @param {MortalGateway} gateway @returns {Promise<{ differences: object[] }>} */
async function reconcile(gateway) {
  return await gateway.admin('reconcile').catch((error) => ({ differences: [{ error: String(error) }] }));
}

/**
 * @param {string} what
 * @param {() => Promise<boolean>} holds
 * @param {number} [everyMs]
 */
async function until(what, holds, everyMs = POLL_MS) {
  for (const end = performance.now() + DEADLINE_MS; performance.now() < end; await sleep(everyMs))
    if (await holds()) return;
  throw new Error(`It never came to be that ${what}`);
}
