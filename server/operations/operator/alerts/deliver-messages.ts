import type { Runtime } from '../../../core/runtime';
import { failureText } from '../../../kit/failure-text';
import { withTimeout } from '../../../kit/with-timeout';
import { renderLinkEmail, toSafeLine } from '../../../platform/email/render-link-email';
import { type LeasedMessage, leaseMessage, markMessageSent, postponeMessage } from './alert-store';

type DeliveryRuntime = Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>;
/** What a notice consists of. */
export type Notice = Pick<LeasedMessage, 'channel' | 'recipient' | 'kind' | 'title' | 'path'>;

const MAX_IN_ROUND = 50;
const MAX_ATTEMPTS = 8;
const FIRST_RETRY_SECONDS = 30;
const SEND_TIMEOUT_MS = 15_000;
/** Longer than sending takes, so that no other process sends the notice a second time. */
const LEASE_SECONDS = 60;

const WORDS = {
  opened: 'Alert',
  reminder: 'Still open',
  resolved: 'Resolved',
  test: 'Test alert',
} satisfies Record<Notice['kind'], string>;

/** Sends the notices that are due; failed ones are retried for an hour. */
export async function deliverMessages(
  runtime: DeliveryRuntime,
  signal?: AbortSignal,
): Promise<{ sent: number; failed: number }> {
  const { db, log } = runtime;
  const done = { sent: 0, failed: 0 };
  for (let i = 0; i < MAX_IN_ROUND && !signal?.aborted; i++) {
    const message = await leaseMessage(db, { leaseSeconds: LEASE_SECONDS, maxAttempts: MAX_ATTEMPTS });
    if (!message) break;
    try {
      await sendNotice(runtime, message);
      await markMessageSent(db, message.id);
      done.sent++;
    } catch (error) {
      done.failed++;
      log.warn('alert.send_failed', { channel: message.channel, attempts: message.attempts, error });
      const seconds = FIRST_RETRY_SECONDS * 2 ** (message.attempts - 1);
      await postponeMessage(db, message.id, seconds, failureText(error));
    }
  }
  return done;
}

/** @throws {Error} if it was not accepted; the message contains no secret */
export async function sendNotice(
  { ports, settings }: Pick<Runtime, 'ports' | 'settings'>,
  notice: Notice,
): Promise<void> {
  const url = new URL(notice.path, settings.baseUrl).href;
  const text = `${WORDS[notice.kind]}: ${toSafeLine(notice.title)}`;
  const { host } = new URL(settings.baseUrl);
  if (notice.channel === 'webhook')
    return await postWebhook(settings.operation.alerts.webhookUrl, text, url, settings.brand.name);
  if (!ports.mail) throw new Error('No mail server is set up (SMTP_URL).');
  await withTimeout(
    ports.mail.send(
      renderLinkEmail(
        {
          to: notice.recipient ?? '',
          subject: `[${settings.brand.name}] ${text}`,
          heading: text,
          button: 'Open the operator pages',
          url,
          note: `You get this email because ALERT_EMAILS of ${host} contains your address.`,
        },
        settings.brand,
      ),
    ),
    SEND_TIMEOUT_MS,
  );
}

/** In the format of Slack's incoming webhooks, which Mattermost and Discord (/slack) accept too. */
async function postWebhook(
  webhookUrl: string | null,
  text: string,
  url: string,
  gateway: string,
): Promise<void> {
  if (webhookUrl === null) throw new Error('ALERT_WEBHOOK_URL is not set.');
  const escaped = `[${gateway}] ${text}`
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  const response = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: `${escaped}\n<${url}|Open the operator pages>` }),
    redirect: 'manual',
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The webhook answered ${response.status}.`);
}
