// Runs the black-box acceptance scripts, which know the contract but not the code.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseScriptOutput } from './acceptance/script-output';
import { findSecrets, sendSecrets } from './fixtures/gateway-secrets';
import { root, runNode } from './fixtures/processes';
import { setupGateway } from './fixtures/setup-gateway';
import { saveResult } from './fixtures/test-results';

const folder = resolve(root, process.env.ACCEPTANCE_DIR || '../shared/acceptance');
const isThere = existsSync(folder);
const note = isThere ? '' : ` (skipped: folder ${folder} not found, set ACCEPTANCE_DIR)`;

/** The required scripts. */
const SCRIPTS = ['01-discovery', '02-auth-errors', '08-keys', '12-reviews', '14-openapi'];

// Run sequentially: reviews change the ETag of the tool list, which the discovery script checks.
describe.skipIf(!isThere)(`the acceptance scripts${note}`, () => {
  const gateway = setupGateway('acceptance/gateway', { settings: { LOG_LEVEL: 'debug' } });
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    keys.API_KEY = await createKey('a', '25');
    keys.API_KEY_B = await createKey('b', '5');
    keys.API_KEY_POOR = await createKey('poor', '0');
  });

  test('a start writes no warning and no error to the log', () => {
    const [start = ''] = gateway.log().split('Tool Gateway is ready');
    expect(start).toContain('"message":"confinement.');
    expect(start.split('\n').filter((line) => /"level":"(?:warn|error|fatal)"/.test(line))).toEqual([]);
  });

  async function createKey(name: string, creditUsd: string): Promise<string> {
    const args = ['account', 'create', '--email', `${name}@acceptance.test`, '--credit-usd', creditUsd];
    return (await gateway.admin(...args)).api_key;
  }

  test.each(SCRIPTS)('%s: every line passes', async (script) => {
    const file = `${script}.mjs`;
    expect(readdirSync(folder)).toContain(file);
    const env = { ...process.env, ...keys, BASE_URL: gateway.baseUrl, SPEND: '1' };
    const run = await runNode([join(folder, file)], { env });
    saveResult(`acceptance/${file}.log`, run.stdout + run.stderr);
    const { passed, skipped, failures } = parseScriptOutput(run);
    console.log(`${file}: ${passed} lines passed, ${failures.length} failed, ${skipped} skipped`);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  });

  test('no secret is in the log, the database or a file', async () => {
    const used = await sendSecrets(gateway.baseUrl, await createKey('scan', '1'));
    expect(await findSecrets(gateway, [...Object.values(keys), ...used])).toEqual([]);
  });
});
