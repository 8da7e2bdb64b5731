import { afterEach, expect, it, vi } from 'vitest';
import { helpForAll } from './help';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['', 'npm run admin -- COMMAND'],
  ['/srv/gateway', 'npx tool-gateway-server admin COMMAND'],
])('the help of the admin CLI shows how it was started, in folder "%s"', (folder, usage) => {
  vi.stubEnv('TOOL_GATEWAY_FOLDER', folder);
  expect(helpForAll([])).toContain(`\n  ${usage}`);
});
