import { join } from 'node:path';
import type { Sql } from '@/db/client';
import { createFakeStripe } from '../../../fakes/stripe/src/index';
import type { Logger } from '../../kit/log';
import { USER_AGENT } from '../../kit/version';
import { type AllowedHost, toAllowedHost } from '../settings/allowed-host';
import { PROVIDER_NAMES, PROVIDERS } from '../settings/providers';
import type { BootedSettings } from '../settings/settings';
import { refundCompute } from '../workers/compute-spending';
import { runInWorker } from '../workers/cpu-pool';
import { createPageBrowser } from './browser';
import { createDiskBlobStore } from './disk-blob';
import { prepareBrowserProgram } from './find-chromium';
import { createLocalMailer, createSmtpMailer } from './mail';
import { createOutboundFetch } from './outbound';
import { OutboundGuard } from './outbound-guard';
import type { DeliverEvent, Ports, StoredEmail } from './ports';
import { createStripePayments } from './stripe-payments';
import { createVault } from './vault';
import { createVercelBlobStore } from './vercel-blob';

interface PortsOptions {
  settings: BootedSettings;
  log: Logger;
  /** Where the fake Stripe stores its objects. */
  sql: Sql;
  /** Delivers the fake Stripe's events; over HTTP to this gateway's own port by default. */
  deliver?: DeliverEvent | undefined;
}

/** Creates the tables of the fake Stripe, in the transaction of a restore. */
export { createTables as createFakeStripeTables } from '../../../fakes/stripe/src/index';

/** Creates the real ports that the settings name, and local fakes for the others. */
export function choosePorts({ settings, log, sql, deliver }: PortsOptions): Ports {
  const localMailer =
    settings.smtpUrl || settings.production ? null : createLocalMailer((mail) => logEmail(mail, log));
  const { payments, fakeStripe } = choosePayments({ settings, log, sql, deliver });
  const guard = createGuard(settings);
  const userAgent = `${USER_AGENT} (+${settings.baseUrl})`;
  return {
    clock: { now: () => new Date() },
    blob: settings.blobToken
      ? createVercelBlobStore(settings.blobToken)
      : createDiskBlobStore(getAssetsFolder(settings)),
    mail: settings.smtpUrl
      ? createSmtpMailer({ url: settings.smtpUrl, from: settings.mailFrom, brand: settings.brand })
      : localMailer,
    // Anyone who can open the inbox can sign in as any user, so it exists only on loopback.
    localMail: isLoopback(settings.host) ? localMailer : null,
    vault: createVault({ id: settings.vaultKeyId, key: settings.vaultKey }, settings.vaultOldKeys),
    payments,
    fakeStripe,
    outbound: createOutboundFetch({ guard, userAgent }),
    outboundTo: (address) =>
      createOutboundFetch({ guard: createGuard(settings, [toAllowedHost(address)]), userAgent }),
    checkWebhookUrl: (url) => guard.checkWebhookUrl(url),
    browser: createPageBrowser({
      guard,
      findProgram: () => prepareBrowserProgram(settings.dataDir, settings.chromiumPath ?? undefined),
    }),
    runInWorker,
    refundCompute,
  };
}

/** The folder of files on disk. */
export function getAssetsFolder({
  assetsDir,
  dataDir,
}: Pick<BootedSettings, 'assetsDir' | 'dataDir'>): string {
  return assetsDir ?? join(dataDir, 'blobs');
}

/** Allows private addresses that the operator configured: provider base URLs and named hosts. */
function createGuard(
  { outboundAllow, providers, baseUrl, port }: BootedSettings,
  more: readonly AllowedHost[] = [],
): OutboundGuard {
  const moved = PROVIDER_NAMES.filter((slot) => providers[slot].baseUrl !== PROVIDERS[slot].baseUrl);
  const allow = [...outboundAllow, ...more, ...moved.map((slot) => toAllowedHost(providers[slot].baseUrl))];
  return new OutboundGuard({ allow, own: { baseUrl, port } });
}

/** Stripe if it has an API key, otherwise the fake in a local start; never both. */
function choosePayments({
  settings,
  log,
  sql,
  deliver = createWebhookDelivery(settings),
}: PortsOptions): Pick<Ports, 'payments' | 'fakeStripe'> {
  const { stripe, baseUrl, authSecret, host } = settings;
  if (stripe === null) return { payments: null, fakeStripe: null };
  if (stripe.mode !== 'fake') return { payments: createStripePayments(stripe), fakeStripe: null };
  const publicUrl = `${baseUrl}/fake-stripe`;
  // Anyone who can open its control panel can refund others' purchases. In production, loopback is
  // not enough: a public proxy may stand in front.
  const openApi = isLoopback(host) && !settings.production;
  const fakeStripe = createFakeStripe({ sql, publicUrl, deliver, log, openApi, secret: authSecret });
  const { secretKey, webhookSecret } = fakeStripe;
  const fetch: typeof globalThis.fetch = (input, init) => fakeStripe.fetch(new Request(input, init));
  return {
    payments: createStripePayments({ mode: 'fake', secretKey, webhookSecret, fetch }),
    fakeStripe,
  };
}

/** Posts to the webhook on this machine, without any proxy in front. */
function createWebhookDelivery({ host, port }: BootedSettings): DeliverEvent {
  const own =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return async ({ headers, body }) => {
    const response = await fetch(`http://${own}:${port}/api/stripe/webhook`, {
      method: 'POST',
      headers,
      body,
    });
    await response.arrayBuffer();
    return { status: response.status };
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Without a mail server, links are shown on the terminal; production refuses to start then. */
function logEmail(mail: StoredEmail, log: Logger): void {
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0];
  log.info('email.stored_locally', { to: mail.to, subject: mail.subject, link });
}
