import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { rereadEnvironment } from './reread-environment';

const SECRETS = {
  AUTH_SECRET: 'a'.repeat(32),
  VAULT_KEY: Buffer.alloc(32, 1).toString('base64'),
  CLAIM_SECRET: 'c'.repeat(32),
};
const BOOTED = {
  ...SECRETS,
  GATEWAY_ENV: 'local',
  DATA_DIR: '/data',
  DATABASE_URL: 'postgres://u:p@127.0.0.1:5/g',
  PORT: '4000',
  BASE_URL: 'http://localhost:4000',
  RATE_PER_HOUR: '7',
};
const NO_SHELL = {};

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryFolder();
});
afterEach(() => removeFolder(cwd));

it('takes over changes of .env, but not of what the primary holds', async () => {
  await writeFile(join(cwd, '.env'), 'RATE_PER_MINUTE=9\nPORT=5000\nDATABASE_URL=postgres://x:y@z:1/a\n');
  const env = rereadEnvironment(NO_SHELL, BOOTED, cwd);
  expect(env).toMatchObject({
    ...SECRETS,
    RATE_PER_MINUTE: '9',
    PORT: '4000',
    DATABASE_URL: BOOTED.DATABASE_URL,
  });
  expect(env).not.toHaveProperty('RATE_PER_HOUR');
});

it('takes secrets from the settings, if they have any', async () => {
  await writeFile(join(cwd, '.env'), `AUTH_SECRET=${'b'.repeat(32)}\n`);
  expect(rereadEnvironment(NO_SHELL, BOOTED, cwd)).toMatchObject({ ...SECRETS, AUTH_SECRET: 'b'.repeat(32) });
});

it('refuses settings that no process could start with', async () => {
  await writeFile(join(cwd, '.env'), 'RATE_PER_MINUTE=many\n');
  expect(() => rereadEnvironment(NO_SHELL, BOOTED, cwd)).toThrow('RATE_PER_MINUTE');
});
