import { writeAudit } from '../../../core/audit/audit';
import { GatewayError } from '../../../core/errors/gateway-error';
import type { Runtime } from '../../../core/runtime';
import type { OperatorAuditActor } from '../operator';
import { hasRecentTest, insertMessages, listOpenAlerts, listUndelivered, lockAlerts } from './alert-store';
import { deliverMessages } from './deliver-messages';
import { listRecipients } from './run-alerts';
import type { Alerts } from './schema';

const PAUSE_SECONDS = 10;

/**
 * Sends a test alert to every recipient now.
 * @throws GatewayError INVALID_INPUT without recipients; RATE_LIMIT_EXCEEDED for a second one
 */
export async function sendTestAlert(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  by: OperatorAuditActor,
): Promise<{ sent: number; failed: number }> {
  const recipients = listRecipients(runtime);
  if (recipients.length === 0)
    throw new GatewayError('INVALID_INPUT', {
      message: 'Nobody is alerted yet.',
      hint: 'Set ALERT_EMAILS or ALERT_WEBHOOK_URL and restart the gateway.',
    });
  await runtime.db.transaction(async (tx) => {
    await lockAlerts(tx);
    if (await hasRecentTest(tx, PAUSE_SECONDS))
      throw new GatewayError('RATE_LIMIT_EXCEEDED', {
        message: 'A test alert was just sent.',
        details: { retry_after: PAUSE_SECONDS },
      });
    await insertMessages(tx, recipients, {
      kind: 'test',
      title: 'alerts of this gateway arrive',
      path: '/operator',
    });
    await writeAudit(tx, { actor: by, action: 'alert.test', details: { recipients: recipients.length } });
  });
  return await deliverMessages(runtime);
}

/** Where alerts go, and which are open. */
export async function getAlerts({
  db,
  ports,
  settings,
}: Pick<Runtime, 'db' | 'ports' | 'settings'>): Promise<Alerts> {
  const { emails, webhookUrl } = settings.operation.alerts;
  const [open, undelivered] = await Promise.all([listOpenAlerts(db), listUndelivered(db)]);
  return {
    emails: [...emails],
    webhook: webhookUrl !== null,
    mail_works: ports.mail !== null,
    open: open.map(({ id, title, path, openedAt }) => ({
      id: String(id),
      title,
      path,
      opened_at: openedAt.toISOString(),
    })),
    undelivered,
  };
}
