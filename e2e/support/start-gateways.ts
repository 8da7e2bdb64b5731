import type { FullConfig } from 'playwright/test';
import { startOidcProvider } from '@/test/support/oidc-provider';
import { embeddedDatabase } from '../../test/system/fixtures/embedded-database';
import { type GatewaySettings, startGateway, type TestGateway } from '../../test/system/fixtures/gateway';
import { findSecrets, sendSecrets } from '../../test/system/fixtures/gateway-secrets';
import { saveResult } from '../../test/system/fixtures/test-results';
import { startAlertReceiver } from './alert-receiver';
import { prepareBrowser } from './browser';
import { GATEWAYS, SUPPORT, type WorkerGateway } from './worker-gateway';

/**
 * Global setup: unpacks the browser and starts a gateway of the production build per worker. This
 * process owns the gateways, so they survive a crashed worker.
 */
export default async function start({ workers }: FullConfig): Promise<() => Promise<void>> {
  prepareBrowser();
  const oidc = await startOidcProvider();
  const alerts = await startAlertReceiver();
  const gateways = await startGateways(workers, {
    ...oidc.settings,
    SUPPORT,
    ALERT_EMAILS: 'alerts@e2e.test',
    ALERT_WEBHOOK_URL: alerts.url,
  });
  // Workers inherit the environment.
  process.env[GATEWAYS] = JSON.stringify(gateways.map(toWorkerGateway));
  return async () => {
    try {
      const leaks = (await Promise.all(gateways.map(findLeaks))).flat();
      if (leaks.length > 0) throw new Error(`Secrets were found:\n${leaks.join('\n')}`);
    } finally {
      await Promise.all(gateways.map(stopGateway));
      await oidc.close();
      alerts.close();
    }
  };
}

/** Starts all of them or none: if one fails, the others are stopped. */
async function startGateways(count: number, settings: GatewaySettings): Promise<TestGateway[]> {
  const starts = await Promise.allSettled(Array.from({ length: count }, () => startGateway(settings)));
  const gateways = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failure = starts.find((start) => start.status === 'rejected');
  if (!failure) return gateways;
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  throw failure.reason;
}

function toWorkerGateway({ baseUrl, env }: TestGateway): WorkerGateway {
  return { baseUrl, databaseUrl: embeddedDatabase(String(env.DATA_DIR)).url, env };
}

/** Uses secrets of every kind, then searches the log, the database and the files for them. */
async function findLeaks(gateway: TestGateway, index: number): Promise<string[]> {
  const person = ['--email', 'secrets@e2e.test', '--credit-usd', '1'];
  const { api_key: key } = await gateway.admin('account', 'create', ...person);
  const leaks = await findSecrets(gateway, await sendSecrets(gateway.baseUrl, key));
  return leaks.map((leak) => `gateway ${index}: ${leak}`);
}

async function stopGateway(gateway: TestGateway, index: number): Promise<void> {
  saveResult(`e2e-gateway-${index}.log`, gateway.log());
  await gateway.stop();
}
