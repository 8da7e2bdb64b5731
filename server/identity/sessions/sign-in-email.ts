import type { Runtime } from '../../core/runtime';
import { consumeEmailQuota, EmailLimitReached } from '../../platform/email/consume-email-quota';
import { checkSignUpAllowed, isKnownAddress } from '../sign-up/check-sign-up';
import { renderSignUpRefusal } from '../sign-up/render-emails';
import { renderSignInEmail } from './render-sign-in-email';
import { signInUrl } from './sign-in-url';

/** Sends the sign-in email of one request. */
interface SignInEmail {
  /** Whether limits (counted once per request) and sign-up policy allow a link to this address. */
  isAdmitted(to: string): Promise<boolean>;
  /**
   * Sends the link, or why there is none, if the limits allow an email. The response and its timing
   * do not depend on that.
   */
  send(email: { identifier: string; token: string; url: string }): Promise<void>;
}

/** `refusal`: the sign-up policy refuses the address, which an email explains. */
type Decision = 'link' | 'refusal' | 'limited';

/** @param clientIp identifies the network, which has a limit of its own */
export function createSignInEmail(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  clientIp: string,
): SignInEmail {
  const { db, settings, log, ports, observer } = runtime;
  let decided: Promise<Decision> | undefined;
  const decide = (to: string) => {
    decided ??= db
      .transaction(async (tx) => {
        const isKnown = await isKnownAddress(tx, to);
        await consumeEmailQuota(tx, settings, { kind: 'sign-in', to, clientIp, isKnown });
      })
      .then(
        async () => ((await checkSignUpAllowed(runtime, to)) ? 'link' : 'refusal'),
        (error: unknown) => {
          if (!(error instanceof EmailLimitReached)) throw error;
          log.warn('sign_in.email_limited', { limit: error.limit, retryAfter: error.resetSeconds });
          return 'limited';
        },
      );
    return decided;
  };
  return {
    isAdmitted: async (to) => (await decide(to)) === 'link',
    async send({ identifier: to, token, url }) {
      const decision = await decide(to);
      if (decision === 'limited' || !ports.mail) return;
      const callbackUrl = new URL(url).searchParams.get('callbackUrl') ?? settings.baseUrl;
      const message =
        decision === 'link'
          ? renderSignInEmail(
              to,
              signInUrl(settings.baseUrl, { token, email: to, callbackUrl }),
              settings.brand,
            )
          : renderSignUpRefusal(to, settings.baseUrl, settings.brand);
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
