import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { installOnDemand } from './on-demand.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

it('openapi.json passes the rules of Spectral without a warning', () => {
  const spectral = `${installOnDemand('spectral')}@stoplight/spectral-cli/dist/index.js`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [spectral, 'lint', '--fail-severity', 'warn', 'openapi.json'],
    { cwd: root, encoding: 'utf8' },
  );
  expect(status, `${stdout}${stderr}`).toBe(0);
});
