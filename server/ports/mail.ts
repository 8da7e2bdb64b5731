import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { KeptMail, LocalMailer, Mailer } from './ports';

const KEPT_MESSAGES = 50;

/** Sends by SMTP. @param url smtp:// or smtps://, with user and password */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(url);
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
