import { mkdirSync, writeFileSync } from 'node:fs';
import { startGateway } from '../../scripts/testing/gateway.mjs';
import { stopAll } from '../../scripts/testing/processes.mjs';
import { prepareBrowser } from './browser';

/** Where the specs find the gateway and what its operator's command needs. */
export const BASE_URL = 'E2E_BASE_URL';
export const ADMIN_ENV = 'E2E_ADMIN_ENV';

/** Before all specs: the browser is unpacked, one gateway of the production build runs. */
export default async function start(): Promise<() => Promise<void>> {
  prepareBrowser();
  const gateway = await startGateway();
  // Workers inherit the environment.
  process.env[BASE_URL] = gateway.baseUrl;
  process.env[ADMIN_ENV] = JSON.stringify(gateway.env);
  process.once('exit', () => void stopAll());
  return async () => {
    mkdirSync('test-results', { recursive: true });
    writeFileSync('test-results/e2e-gateway.log', gateway.log());
    await gateway.stop();
  };
}
