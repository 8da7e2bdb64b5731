import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { drawLogo } from '../brand/draw-logo';
import type { BrandSettings } from '../settings/brand-settings';
import { LOGO_CID, type LocalMailer, type Mailer, type StoredEmail } from './ports';

const MAX_STORED_EMAILS = 50;
/** A user waits for the sign-in link; the library's default timeouts are minutes. */
export const SMTP_TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
};

interface SmtpMailerOptions {
  /** smtp:// or smtps://, with user and password. */
  url: string;
  from: string;
  brand: Pick<BrandSettings, 'logo'>;
  timeouts?: typeof SMTP_TIMEOUTS;
}

/** Sends emails by SMTP, with the logo attached that their HTML shows. */
export function createSmtpMailer({ url, from, brand, timeouts = SMTP_TIMEOUTS }: SmtpMailerOptions): Mailer {
  // With a URL, the library reads options only from its query. The operator's values win.
  const address = new URL(url);
  for (const [name, ms] of Object.entries(timeouts))
    if (!address.searchParams.has(name)) address.searchParams.set(name, String(ms));
  const transport = createTransport(address.href);
  let logo: Promise<Buffer> | undefined;
  return {
    async send(message) {
      logo ??= drawLogo(brand);
      const image = { filename: 'logo.png', content: await logo, contentType: 'image/png' };
      const attachments = [
        { ...image, cid: LOGO_CID, contentDisposition: 'inline' as const },
        ...(message.attachments ?? []),
      ];
      await transport.sendMail({ from, ...message, attachments });
    },
  };
}

/** Stores the last emails in memory for the inbox page, and passes each to `show`. */
export function createLocalMailer(show: (mail: StoredEmail) => void): LocalMailer {
  const stored: StoredEmail[] = [];
  return {
    async send(message) {
      const mail: StoredEmail = { ...message, id: randomUUID(), sentAt: new Date() };
      stored.unshift(mail);
      stored.length = Math.min(stored.length, MAX_STORED_EMAILS);
      show(mail);
    },
    messages: () => stored,
  };
}
