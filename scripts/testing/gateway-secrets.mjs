// Secrets in use at a gateway under test: brings some of every kind to it, and looks for them where it leaves traces.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedDatabase } from './crash/database.mjs';
import { SecretScan } from './secret-scan.mjs';

/** Where the secrets that a gateway has made for itself, and its database, have their place. */
const OWN_PLACES = ['secrets.json', 'postgres'];
const OWN_SECRETS = ['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET'];

/** A provider key that nobody has, told apart from all others. */
const marker = () => `sk-test-secret-${randomBytes(16).toString('hex')}`;

/**
 * Saves provider keys and calls with some, well and badly, as clients do.
 * @param {string} baseUrl
 * @param {string} key of a claimed account
 * @returns {Promise<string[]>} every secret that was used
 */
export async function bringSecrets(baseUrl, key) {
  /** @type {string[]} */
  const used = [key];
  const next = () => {
    const secret = marker();
    used.push(secret);
    return secret;
  };
  /** @param {string} method @param {string} path @param {unknown} body @param {Record<string, string>} [headers] */
  const send = (method, path, body, headers = {}) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const own = '/v1/account/requirements/openai';
  const label = `scan ${randomBytes(4).toString('hex')}`;
  await expectStatus(200, send('PUT', own, { value: next(), label }));
  await expectStatus(200, send('PUT', own, { value: next(), label, is_default: true }));
  await expectStatus(400, send('PUT', own, { value: `${next()} `, label }));
  await expectStatus(404, send('PUT', '/v1/account/requirements/acme', { value: next() }));
  await expectStatus(400, send('PUT', own, `{"value":"${next()}",`));
  const echo = { tool: 'diagnostics', skill: 'echo', input: { message: 'hello' } };
  const idempotent = { 'idempotency-key': `scan ${randomBytes(8).toString('hex')}` };
  await expectStatus(
    200,
    send('POST', '/v1/tools/call', echo, { 'x-provider-key-openai': next(), ...idempotent }),
  );
  await expectStatus(401, send('POST', '/v1/tools/call', echo, { authorization: `Bearer ${next()}` }));
  await callProviders(baseUrl, (call, slot) =>
    send('POST', '/v1/tools/call', call, { prefer: 'wait=0', [`x-provider-key-${slot}`]: next() }),
  );
  const provisioned = await (await fetch(`${baseUrl}/v1/auth/provision`, { method: 'POST' })).json();
  used.push(provisioned.api_key, new URL(provisioned.claim_url).searchParams.get('token') ?? '');
  return used;
}

/**
 * The first example of every skill that goes through a provider, with a made-up key.
 * @param {string} baseUrl
 * @param {(call: object, slot: string) => Promise<Response>} call
 */
async function callProviders(baseUrl, call) {
  const { tools } = await (await fetch(`${baseUrl}/v1/tools?limit=500`)).json();
  for (const { name } of tools) {
    const { skills } = await (await fetch(`${baseUrl}/v1/tools/${name}`)).json();
    for (const skill of skills) {
      const [slot] = skill.requirements ?? [];
      if (!slot) continue;
      const answer = await call(
        { tool: name, skill: skill.name, input: skill.examples[0]?.input ?? {} },
        slot,
      );
      await answer.arrayBuffer();
      if (answer.status >= 500 && answer.status !== 502)
        throw new Error(`${name}.${skill.name} with a made-up key answered ${answer.status}`);
    }
  }
}

/**
 * @param {number} status
 * @param {Promise<Response>} sent
 */
async function expectStatus(status, sent) {
  const answer = await sent;
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`Expected ${status}, was answered ${answer.status}: ${text}`);
}

/**
 * Looks for secrets in all that a running gateway has written: its log, its database, its files.
 * @param {{ env: Record<string, string | undefined>, log: () => string }} gateway
 * @param {string[]} secrets that were used with it
 * @returns {Promise<string[]>} a line for each place where one was found
 */
export async function findSecrets({ env, log }, secrets) {
  const dataDir = String(env.DATA_DIR);
  const scan = new SecretScan([...secrets, ...ownSecrets(env)]);
  scan.scanText('the log', log());
  await scan.scanDatabase(env.DATABASE_URL || embeddedDatabase(dataDir).url);
  scan.scanFolder(dataDir, OWN_PLACES);
  const problems = scan.problems();
  if (scan.looked.rows === 0) problems.push('the database had no rows: nothing was looked through');
  return problems;
}

/** What the gateway seals, signs and derives with. @param {Record<string, string | undefined>} env */
function ownSecrets(env) {
  const given = OWN_SECRETS.map((name) => env[name]).filter((value) => value !== undefined && value !== '');
  if (given.length === OWN_SECRETS.length) return /** @type {string[]} */ (given);
  const kept = JSON.parse(readFileSync(join(String(env.DATA_DIR), 'secrets.json'), 'utf8'));
  return /** @type {string[]} */ ([...given, ...Object.values(kept)]);
}
