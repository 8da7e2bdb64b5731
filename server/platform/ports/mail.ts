import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { KeptMail, LocalMailer, Mailer } from './ports';

const KEPT_MESSAGES = 50;
/** Somebody waits for a sign-in link meanwhile; the library itself would wait for minutes. */
export const MAIL_TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
};

/**
 * Sends by SMTP.
 * @param url smtp:// or smtps://, with user and password
 */
export function createSmtpMailer(url: string, from: string, timeouts = MAIL_TIMEOUTS): Mailer {
  // Beside an address the library takes no options but those in its query; the operator's own win.
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

/** Keeps the last messages in memory for the inbox page, and shows each on standard output. */
export function createLocalMailer(show: (mail: KeptMail) => void): LocalMailer {
  const kept: KeptMail[] = [];
  return {
    async send(message) {
      const mail: KeptMail = { ...message, id: randomUUID(), sentAt: new Date() };
      kept.unshift(mail);
      kept.length = Math.min(kept.length, KEPT_MESSAGES);
      show(mail);
    },
    messages: () => kept,
  };
}
