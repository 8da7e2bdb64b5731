// Accounts with credit, and keys inside them, for the clients of a crash test.
import { microusd, send } from './client.mjs';

/** @typedef {{ id: string, email: string, keys: string[], credit: number }} Account its credit in micro-dollars */

/**
 * @param {{ baseUrl: string, admin: (...args: string[]) => Promise<any> }} gateway
 * @param {string} name
 * @param {{ keys: number, creditUsd: number }} wanted
 * @returns {Promise<Account>}
 */
export async function createAccount({ baseUrl, admin }, name, { keys, creditUsd }) {
  const email = `${name}@crash.test`;
  const made = await admin('account', 'create', '--email', email, '--credit-usd', String(creditUsd));
  const account = { id: made.account_id, email, keys: [made.api_key], credit: microusd(creditUsd) };
  while (account.keys.length < keys) {
    const answer = await send(`${baseUrl}/v1/keys`, made.api_key, 'POST', { json: {} });
    if (answer.status !== 201) throw new Error(`No key: ${JSON.stringify(answer.body)}`);
    account.keys.push(answer.body.secret);
  }
  return account;
}

/**
 * @param {string} baseUrl
 * @param {Account} account
 * @returns {Promise<number>} micro-dollars
 */
export async function balanceOf(baseUrl, { keys }) {
  const { body } = await send(`${baseUrl}/v1/billing/balance`, String(keys[0]), 'GET');
  return microusd(body.available_usd);
}

/**
 * The whole usage history of an account.
 * @param {string} baseUrl
 * @param {Account} account
 * @returns {Promise<any[]>}
 */
export async function historyOf(baseUrl, { keys }) {
  const records = [];
  for (let cursor = ''; ; ) {
    const page = await send(`${baseUrl}/v1/usage/history?limit=500${cursor}`, String(keys[0]), 'GET');
    if (page.status !== 200) throw new Error(`No history: ${JSON.stringify(page.body)}`);
    records.push(...page.body.records);
    if (!page.body.next_cursor) return records;
    cursor = `&cursor=${encodeURIComponent(page.body.next_cursor)}`;
  }
}
