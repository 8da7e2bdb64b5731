import { mkdirSync, writeFileSync } from 'node:fs';
import { startGateway } from '../../test/system/fixtures/gateway';
import { bringSecrets, findSecrets } from '../../test/system/fixtures/gateway-secrets';
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
  return async () => {
    mkdirSync('test-results', { recursive: true });
    try {
      const made = await gateway.admin(
        'account',
        'create',
        '--email',
        'secrets@e2e.test',
        '--credit-usd',
        '1',
      );
      const leaks = await findSecrets(gateway, await bringSecrets(gateway.baseUrl, made.api_key));
      if (leaks.length > 0) throw new Error(`Secrets were found:\n${leaks.join('\n')}`);
    } finally {
      writeFileSync('test-results/e2e-gateway.log', gateway.log());
      await gateway.stop();
    }
  };
}
