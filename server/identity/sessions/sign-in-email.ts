import type { Runtime } from '../../core/runtime';
import { EmailLimitReached, takeEmailRoom } from '../../platform/email/take-email-room';
import { signInMail } from './sign-in-mail';
import { signInUrl } from './sign-in-url';

/** The sign-in email of one request. */
interface SignInEmail {
  /** Whether one may be sent to this address now; counted once. */
  isAdmitted(to: string): Promise<boolean>;
  /** Sends it where it may be sent. The answer, and when it comes, do not depend on that. */
  send(email: { identifier: string; token: string; url: string }): Promise<void>;
}

/** @param clientIp whose network has a limit of its own */
export function createSignInEmail(runtime: Runtime, clientIp: string): SignInEmail {
  const { db, settings, log, ports, observer } = runtime;
  let admitted: Promise<boolean> | undefined;
  const isAdmitted = (to: string) => {
    admitted ??= db
      .transaction((tx) => takeEmailRoom(tx, settings, { kind: 'sign-in', to, clientIp }))
      .then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof EmailLimitReached)) throw error;
          log.warn('a sign-in email was not sent', { limit: error.limit, retryAfter: error.resetSeconds });
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
      const message = signInMail(to, signInUrl(settings.baseUrl, { token, email: to, callbackUrl }));
      // Not waited for: how long the mail server takes would tell whether it was asked.
      ports.mail.send(message).then(
        () => observer.metrics.mails.inc({ outcome: 'sent' }),
        (error) => {
          observer.metrics.mails.inc({ outcome: 'failed' });
          log.error('a sign-in email could not be sent', { error });
        },
      );
    },
  };
}
