// Linters of openapi.json, from packages that are installed at first use.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installOnDemand } from './on-demand.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns {string} the problems that Redocly finds; empty if there are none */
export function lintWithRedocly() {
  const program = `${installOnDemand('openapi')}@redocly/cli/bin/cli.js`;
  return lint(program, ['--config', '.redocly.yaml']);
}

/** @returns {string} the problems that Spectral finds, warnings too; empty if there are none */
export function lintWithSpectral() {
  const program = `${installOnDemand('spectral')}@stoplight/spectral-cli/dist/index.js`;
  return lint(program, ['--fail-severity', 'warn']);
}

/** @param {string} program @param {string[]} options */
function lint(program, options) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, 'lint', ...options, 'openapi.json'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  return status === 0 ? '' : `${stdout}${stderr}` || `It ended with exit code ${status}.`;
}
