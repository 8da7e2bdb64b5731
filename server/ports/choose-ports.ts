import { join } from 'node:path';
import type { Logger } from '../log';
import type { BootedSettings } from '../settings';
import { createDiskBlobStore } from './disk-blob';
import { createLocalMailer, createSmtpMailer } from './mail';
import { createOutboundFetch } from './outbound';
import type { KeptMail, Ports } from './ports';
import { createVault } from './vault';

/** The real ports where the settings name them, else their local twins. */
export function choosePorts(settings: BootedSettings, log: Logger): Ports {
  const keeper =
    settings.smtpUrl || settings.production ? null : createLocalMailer((mail) => showMail(mail, log));
  return {
    clock: { now: () => new Date() },
    blob: createDiskBlobStore(join(settings.dataDir, 'blobs')),
    mail: settings.smtpUrl ? createSmtpMailer(settings.smtpUrl, settings.mailFrom) : keeper,
    // Whoever can open the inbox can sign in as anyone: it exists only where nobody else can reach it.
    localMail: isLoopback(settings.host) ? keeper : null,
    vault: createVault(Buffer.from(settings.vaultKey, 'base64'), settings.vaultKeyId),
    payments: null,
    stripeStandin: null,
    outbound: createOutboundFetch(),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Without a mail server the terminal is the way a link reaches its reader; production refuses to start so. */
function showMail(mail: KeptMail, log: Logger): void {
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0];
  log.info('mail kept locally', { to: mail.to, subject: mail.subject, link });
}
