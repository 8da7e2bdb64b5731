// `npm run backup:roundtrip -- --calls 1000000`: backs a gateway up alone and under load, restores
// each backup into a new database, and compares the digests of all tables and the books.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, isBuilt } from '../build.mjs';
import { runAdmin } from './admin.mjs';
import { removeTestFolder, startGateway } from './gateway.mjs';
import { stopAll } from './processes.mjs';

export const DEFAULT_CALLS = 20_000;
const CREDIT_USD = '1000';
const CLIENTS = 4;
const MIB = 1024 * 1024;

/** @typedef {import('./acceptance.mjs').Count} Count */
/**
 * @typedef {{ path: string, bytes: number, rows: number, tables: Record<string, { rows: number,
 *   digest: string }> }} Backup
 */

/**
 * @param {{ calls: number }} options
 * @returns {Promise<Count>}
 */
export async function runBackupRoundtrip({ calls }) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-roundtrip-'));
  /** @type {Count & { failures: string[] }} */
  const count = { passed: 0, failed: 0, skipped: 0, notes: [], failures: [] };
  const judge = (/** @type {boolean} */ ok, /** @type {string} */ line) => {
    count[ok ? 'passed' : 'failed']++;
    if (!ok) count.failures.push(line);
    console.log(`  ${ok ? 'ok  ' : 'FAIL'}  ${line}`);
  };
  // PostgreSQL's own user passes through it where root runs this.
  chmodSync(folder, 0o755);
  const secret = () => randomBytes(32).toString('base64');
  const gateway = await startGateway({
    DATA_DIR: join(folder, 'data'),
    ...{ AUTH_SECRET: secret(), VAULT_KEY: secret(), CLAIM_SECRET: secret() },
    ...{ RATE_PER_MINUTE: '1000000', RATE_PER_HOUR: '10000000' },
  });
  try {
    const account = await gateway.admin(
      ...['account', 'create', '--email', 'roundtrip@example.test', '--credit-usd', CREDIT_USD],
    );
    const seeded = await timed(() =>
      gateway.admin('usage', 'seed', '--account', account.account_id, '--rows', String(calls)),
    );
    console.log(`        ${calls.toLocaleString('en-US')} calls made up in ${seeded.seconds} s`);

    const load = startLoad(gateway.baseUrl, account.api_key);
    await load.atLeast(CLIENTS);
    const during = await timed(() => gateway.admin('backup', '--to', join(folder, 'during.backup')));
    const answered = load.answered;
    await load.atLeast(answered + 1);
    await load.stop();
    judge(load.failures.length === 0, `all ${load.answered} calls made meanwhile were answered`);
    for (const line of load.failures.slice(0, 3)) console.log(`        ${line}`);
    await gateway.kill();

    const alone = await timed(() => gateway.admin('backup', '--to', join(folder, 'alone.backup')));
    const backups = { 'while it serves calls': during, 'without a gateway': alone };
    for (const [when, { value, seconds }] of Object.entries(backups)) {
      console.log(`        backup ${when}: ${summarize(value)} in ${seconds} s`);
      judge(
        (value.tables['public.usage_records']?.rows ?? 0) >= calls &&
          statSync(value.path).size === value.bytes,
        `the backup ${when} holds all calls`,
      );
      // A data folder of its own, and so a PostgreSQL of its own.
      const env = { ...gateway.env, DATA_DIR: `${value.path}-restored` };
      const restored = await timed(() => runAdmin(env, ['restore', '--from', value.path]));
      console.log(
        `        restored and reconciled in ${restored.seconds} s (${restored.value.checks} rules)`,
      );
      judge(
        isEqual(restored.value.tables, value.tables),
        `its restored tables have equal digests: ${digestOf(value)}`,
      );
      judge(restored.value.ok === true, 'its restored books agree');
    }
  } finally {
    await gateway.stop();
    await removeTestFolder(folder);
  }
  return count;
}

/**
 * Clients that make paid calls until they are stopped.
 * @param {string} baseUrl
 * @param {string} key
 */
function startLoad(baseUrl, key) {
  let stopped = false;
  const load = {
    answered: 0,
    /** @type {string[]} */
    failures: [],
    async atLeast(/** @type {number} */ answered) {
      while (load.answered < answered && load.failures.length === 0)
        await new Promise((done) => setTimeout(done, 10));
    },
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
  };
  const client = async () => {
    while (!stopped) {
      const answer = await fetch(`${baseUrl}/v1/tools/call`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.001 } }),
      });
      const text = await answer.text();
      if (answer.status === 200) load.answered++;
      else load.failures.push(`${answer.status} ${text.slice(0, 200)}`);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return load;
}

/**
 * @template T
 * @param {() => Promise<T>} work
 */
async function timed(work) {
  const begun = performance.now();
  const value = await work();
  return { value, seconds: ((performance.now() - begun) / 1000).toFixed(1) };
}

/** @param {Backup} backup */
function summarize({ rows, bytes, tables }) {
  return `${rows.toLocaleString('en-US')} rows of ${Object.keys(tables).length} tables, ${(bytes / MIB).toFixed(1)} MiB`;
}

/** @param {Backup} backup */
function digestOf({ tables }) {
  return `usage_records ${tables['public.usage_records']?.digest.slice(0, 16)}, ledger_entries ${tables['public.ledger_entries']?.digest.slice(0, 16)}`;
}

/**
 * @param {Backup['tables']} a
 * @param {Backup['tables']} b
 */
function isEqual(a, b) {
  const text = (/** @type {Backup['tables']} */ tables) => JSON.stringify(Object.entries(tables).sort());
  return text(a) === text(b);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { calls: { type: 'string', default: String(DEFAULT_CALLS) } } });
  const calls = Number(values.calls);
  if (!Number.isInteger(calls) || calls < 1) throw new Error('--calls takes a positive whole number');
  if (!isBuilt() && (await build()) !== 0) throw new Error('The gateway could not be built');
  const { passed, failed } = await runBackupRoundtrip({ calls }).finally(stopAll);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
