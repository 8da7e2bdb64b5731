// The black-box acceptance scripts against a gateway, and what their lines mean.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from './gateway.mjs';
import { bringSecrets, findSecrets } from './gateway-secrets.mjs';
import { judge } from './judge.mjs';
import { runNode } from './processes.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, notes: string[], failures?: string[] }} Count */

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = resolve(root, process.env.ACCEPTANCE_DIR || '../shared/acceptance');
const logs = join(root, 'test-results/acceptance');

/** The scripts there must be. */
const SCRIPTS = ['01', '02', '08', '12', '14'];

/** @returns {Promise<Count>} */
export async function runAcceptance() {
  if (!existsSync(folder)) {
    console.log(`\n  !!! NO ACCEPTANCE CHECKS: there is no folder ${folder}. Set ACCEPTANCE_DIR. !!!\n`);
    return { passed: 0, failed: 0, skipped: 1, notes: ['acceptance scripts not found'] };
  }
  mkdirSync(logs, { recursive: true });
  const gateway = await startGateway();
  try {
    const keys = await makeKeys(gateway);
    const env = { ...process.env, ...keys, BASE_URL: gateway.baseUrl, SPEND: '1' };
    const secrets = [
      ...Object.values(keys),
      ...(await bringSecrets(gateway.baseUrl, await makeKey(gateway, 'scan', '1'))),
    ];
    /** @type {Count} */
    const count = { passed: 0, failed: 0, skipped: 0, notes: [], failures: [] };
    for (const number of SCRIPTS) {
      const file = readdirSync(folder).find((name) => name.startsWith(`${number}-`) && name.endsWith('.mjs'));
      if (!file) {
        count.failed++;
        console.log(`  FAIL  there is no script ${number}-*.mjs in ${folder}`);
        continue;
      }
      await runScript(file, env, count);
    }
    const leaks = await findSecrets(gateway, secrets);
    count[leaks.length === 0 ? 'passed' : 'failed']++;
    console.log(`  ${leaks.length ? 'FAIL' : 'ok  '}  no secret is in the log, the database or a file`);
    for (const line of leaks) console.log(`        ${line}`);
    return count;
  } finally {
    writeFileSync(join(logs, 'gateway.log'), gateway.log());
    await gateway.stop();
  }
}

/** @param {import('./gateway.mjs').TestGateway} gateway */
async function makeKeys(gateway) {
  return {
    API_KEY: await makeKey(gateway, 'a', '25'),
    API_KEY_B: await makeKey(gateway, 'b', '5'),
    API_KEY_POOR: await makeKey(gateway, 'poor', '0'),
  };
}

/**
 * @param {import('./gateway.mjs').TestGateway} gateway
 * @param {string} name
 * @param {string} credit in dollars
 * @returns {Promise<string>}
 */
async function makeKey({ admin }, name, credit) {
  return (await admin('account', 'create', '--email', `${name}@acceptance.test`, '--credit-usd', credit))
    .api_key;
}

/**
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @param {Count} count
 */
async function runScript(file, env, count) {
  const run = await runNode([join(folder, file)], { cwd: root, env, quiet: true });
  writeFileSync(join(logs, `${file}.log`), run.stdout + run.stderr);
  const { passed, skipped, failures } = judge(run);
  count.passed += passed;
  count.failed += failures.length;
  count.skipped += skipped;
  const note = skipped ? `, ${skipped} skipped` : '';
  console.log(`  ${failures.length ? 'FAIL' : 'ok  '}  ${file.padEnd(22)} ${passed} passed${note}`);
  for (const line of failures) {
    console.log(`        ${line.slice(0, 400)}`);
    count.failures?.push(`${file} ${line.slice(0, 400)}`);
  }
}
