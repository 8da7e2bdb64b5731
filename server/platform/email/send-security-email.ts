import type { Runtime } from '../../core/runtime';
import { type LinkEmail, renderLinkEmail } from './render-link-email';

interface SecurityEmail {
  to: string;
  subject: string;
  /** What happened. */
  body: readonly string[];
  /** Another action than opening the settings. */
  action?: Pick<LinkEmail, 'button' | 'url'>;
  note?: string;
}

type EmailRuntime = Pick<Runtime, 'log' | 'observer' | 'ports' | 'settings'>;

/** Reports a change of how a person signs in. Not awaited: the change holds if the email fails. */
export function sendSecurityEmail(runtime: EmailRuntime, email: SecurityEmail): void {
  void deliverSecurityEmail(runtime, email).catch((error: unknown) =>
    runtime.log.error('security_email.failed', { subject: email.subject, error }),
  );
}

/** The same for an email that the change depends on. @throws if it cannot be sent */
export async function deliverSecurityEmail(
  { observer, ports, settings }: EmailRuntime,
  { to, subject, body, action, note }: SecurityEmail,
): Promise<void> {
  const message = renderLinkEmail(
    {
      to,
      subject: `${subject}: ${settings.brand.name}`,
      heading: subject,
      body,
      button: 'Review your settings',
      url: `${settings.baseUrl}/dashboard/settings`,
      ...action,
      note:
        note ??
        `If this was not you, sign out all other browsers in the settings, and write to ${settings.operatorEmail}.`,
    },
    settings.brand,
  );
  try {
    await ports.mail?.send(message);
    observer.metrics.mails.inc({ outcome: 'sent' });
  } catch (error) {
    observer.metrics.mails.inc({ outcome: 'failed' });
    throw error;
  }
}
