// The black-box acceptance scripts against a gateway, and what their lines mean.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from './gateway.mjs';
import { runNode } from './processes.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, notes: string[] }} Count */

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = resolve(root, process.env.ACCEPTANCE_DIR || '../shared/acceptance');
const logs = join(root, 'test-results/acceptance');

/** Scripts about what exists by now. */
const WHOLE = ['01', '08', '12'];
/** Scripts about the whole contract: routes to come may fail. */
const PARTIAL = ['02', '14'];

/** @returns {Promise<Count>} */
export async function runAcceptance() {
  if (!existsSync(folder)) {
    console.log(`\n  !!! NO ACCEPTANCE CHECKS: there is no folder ${folder}. Set ACCEPTANCE_DIR. !!!\n`);
    return { passed: 0, failed: 0, skipped: 1, notes: ['acceptance scripts not found'] };
  }
  mkdirSync(logs, { recursive: true });
  const gateway = await startGateway();
  try {
    const env = { ...process.env, ...(await makeKeys(gateway)), BASE_URL: gateway.baseUrl, SPEND: '1' };
    const count = { passed: 0, failed: 0, skipped: 0, notes: /** @type {string[]} */ ([]) };
    const toCome = new ToCome();
    for (const number of [...WHOLE, ...PARTIAL].sort()) {
      const file = readdirSync(folder).find((name) => name.startsWith(`${number}-`) && name.endsWith('.mjs'));
      if (!file) {
        count.failed++;
        console.log(`  FAIL  there is no script ${number}-*.mjs in ${folder}`);
        continue;
      }
      await runScript(file, env, count, PARTIAL.includes(number) ? toCome : null);
    }
    for (const route of toCome.arrived()) {
      count.failed++;
      console.log(`  FAIL  ${route} fails no more: take it out of ${ToCome.FILE}`);
    }
    if (toCome.rules > 0) count.notes.push(`${toCome.rules} rules about ${toCome.routes} routes to come`);
    return count;
  } finally {
    writeFileSync(join(logs, 'gateway.log'), gateway.log());
    await gateway.stop();
  }
}

/** @param {import('./gateway.mjs').TestGateway} gateway */
async function makeKeys({ admin }) {
  const create = async (/** @type {string} */ name, /** @type {string} */ credit) =>
    (await admin('account', 'create', '--email', `${name}@acceptance.test`, '--credit-usd', credit)).api_key;
  return {
    API_KEY: await create('a', '25'),
    API_KEY_B: await create('b', '5'),
    API_KEY_POOR: await create('poor', '0'),
  };
}

/**
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @param {Count} count
 * @param {ToCome | null} toCome
 */
async function runScript(file, env, count, toCome) {
  const { code, stdout, stderr } = await runNode([join(folder, file)], { cwd: root, env, quiet: true });
  writeFileSync(join(logs, `${file}.log`), stdout + stderr);
  const lines = stdout.split('\n');
  const failures = lines.filter((line) => line.startsWith('FAIL '));
  const unexpected = failures.filter((line) => !toCome?.takes(line));
  const passed = lines.filter((line) => line.startsWith('ok ')).length;
  const skipped = lines.filter((line) => line.startsWith('skip ')).length;
  const summary = `${passed} passed, ${failures.length} failed`;
  // A script that broke off says no sum, or another one.
  if (!lines.includes(summary) || (code !== 0) !== failures.length > 0)
    unexpected.push(`FAIL ${file} ended with code ${code} and without "${summary}" ${stderr.slice(0, 500)}`);
  count.passed += passed;
  count.skipped += skipped + failures.length - Math.min(failures.length, unexpected.length);
  count.failed += unexpected.length;
  const expected = failures.filter((line) => !unexpected.includes(line)).length;
  const note = [skipped ? `, ${skipped} skipped` : '', expected ? `, ${expected} to come` : ''].join('');
  console.log(`  ${unexpected.length ? 'FAIL' : 'ok  '}  ${file.padEnd(22)} ${passed} passed${note}`);
  for (const line of unexpected) console.log(`        ${line.slice(0, 400)}`);
}

/** The routes of the contract that later issues build: their rules fail until then, and must be taken out after. */
class ToCome {
  static FILE = 'e2e/acceptance-to-come.json';
  /** @type {Map<string, number>} */
  #failures;
  rules = 0;

  constructor() {
    /** @type {string[]} */
    const routes = JSON.parse(readFileSync(join(root, ToCome.FILE), 'utf8'));
    this.#failures = new Map(routes.map((route) => [route, 0]));
  }

  get routes() {
    return this.#failures.size;
  }

  /**
   * Whether the failed rule is about one of the routes: `FAIL OAS-20:POST /v1/tools/batch bad 404 …`.
   * @param {string} line
   */
  takes(line) {
    const route = /^FAIL [A-Z]+-\d+:([A-Z]+ \/v1\/\S+)/.exec(line)?.[1] ?? '';
    const seen = this.#failures.get(route);
    if (seen === undefined) return false;
    this.#failures.set(route, seen + 1);
    this.rules++;
    return true;
  }

  /** Entries that nothing fails for any more. */
  arrived() {
    return [...this.#failures].filter(([, failures]) => failures === 0).map(([route]) => route);
  }
}
