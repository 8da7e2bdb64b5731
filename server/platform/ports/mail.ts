import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { LocalMailer, Mailer, StoredEmail } from './ports';

const MAX_STORED_EMAILS = 50;
/** A user waits for the sign-in link; the library's default timeouts are minutes. */
export const SMTP_TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
};

/**
 * Sends emails by SMTP.
 * @param url smtp:// or smtps://, with user and password
 */
export function createSmtpMailer(url: string, from: string, timeouts = SMTP_TIMEOUTS): Mailer {
  // With a URL, the library reads options only from its query. The operator's values win.
  const address = new URL(url);
  for (const [name, ms] of Object.entries(timeouts))
    if (!address.searchParams.has(name)) address.searchParams.set(name, String(ms));
  const transport = createTransport(address.href);
  return {
    async send(message) {
      await transport.sendMail({ from, ...message });
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
