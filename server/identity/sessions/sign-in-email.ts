import type { Runtime } from '../../core/runtime';
import { consumeEmailQuota, EmailLimitReached } from '../../platform/email/consume-email-quota';
import { renderSignInEmail } from './render-sign-in-email';
import { signInUrl } from './sign-in-url';

/** Sends the sign-in email of one request. */
interface SignInEmail {
  /** Whether the limits allow an email to this address; counted once per request. */
  isAdmitted(to: string): Promise<boolean>;
  /** Sends the email if the limits allow it. The response and its timing do not depend on that. */
  send(email: { identifier: string; token: string; url: string }): Promise<void>;
}

/** @param clientIp identifies the network, which has a limit of its own */
export function createSignInEmail(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  clientIp: string,
): SignInEmail {
  const { db, settings, log, ports, observer } = runtime;
  let admitted: Promise<boolean> | undefined;
  const isAdmitted = (to: string) => {
    admitted ??= db
      .transaction((tx) => consumeEmailQuota(tx, settings, { kind: 'sign-in', to, clientIp }))
      .then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof EmailLimitReached)) throw error;
          log.warn('sign_in.email_limited', { limit: error.limit, retryAfter: error.resetSeconds });
          return false;
        },
      );
    return admitted;
  };
  return {
    isAdmitted,
    async send({ identifier: to, token, url }) {
      if (!(await isAdmitted(to)) || !ports.mail) return;
      const callbackUrl = new URL(url).searchParams.get('callbackUrl') ?? settings.baseUrl;
      const message = renderSignInEmail(to, signInUrl(settings.baseUrl, { token, email: to, callbackUrl }));
      // Not awaited: the response time would reveal whether an email was sent.
      ports.mail.send(message).then(
        () => observer.metrics.mails.inc({ outcome: 'sent' }),
        (error) => {
          observer.metrics.mails.inc({ outcome: 'failed' });
          log.error('sign_in.email_failed', { error });
        },
      );
    },
  };
}
