'use client';

import { useState } from 'react';
import { beginSignIn } from '../shared/auth-client';
import { Notice } from '../ui/notice';
import { CheckMail } from './check-mail';
import { EmailForm } from './email-form';
import { OAuthButtons } from './oauth-buttons';
import { OtherAddress, useOtherAddress } from './other-address';
import { SignInConfirm, type SignInLink } from './sign-in-confirm';
import { signInErrorText } from './sign-in-error';
import { describeSignUpRule, type SignUp } from './sign-up-words';

export interface SignInMethods {
  email: boolean;
  github: boolean;
  google: boolean;
  /** The name of the OpenID Connect provider. */
  oidc: string | null;
}

interface SignInCardProps {
  /** The address of the gateway; elsewhere a sign-in is refused. */
  gatewayUrl: string;
  methods: SignInMethods;
  /** Whether emails are stored locally, in /inbox. */
  localInbox: boolean;
  signUp: SignUp;
  /** Already validated: a path on this origin. */
  callbackUrl: string;
  /** next-auth's error code, from the URL. */
  errorCode: string;
  /** Whether the page was opened after the email was sent, without this page's state. */
  sent: boolean;
}

/** The confirmation of a sign-in link. In this file so that both pages load the same scripts. */
export function SignInByLink(props: SignInLink) {
  return <SignInConfirm {...props} />;
}

/** The configured sign-in methods, and the result of an attempt. */
export function SignInCard(props: SignInCardProps) {
  const { gatewayUrl, methods, localInbox, signUp, callbackUrl, errorCode, sent } = props;
  const opened = useOtherAddress(gatewayUrl);
  const [sentTo, setSentTo] = useState<string | null>(sent ? '' : null);
  const [problem, setProblem] = useState(() => signInErrorText(errorCode));
  const oauth = methods.github || methods.google || methods.oidc !== null;

  async function sendMail(email: string) {
    setProblem(null);
    const outcome = await beginSignIn('email', { email, callbackUrl }).catch(() => null);
    if (outcome && !outcome.error) setSentTo(email);
    else
      setProblem(
        outcome ? signInErrorText(outcome.error ?? 'Default') : 'The gateway did not respond. Try again.',
      );
  }

  if (sentTo !== null)
    return <CheckMail address={sentTo} localInbox={localInbox} onAgain={() => setSentTo(null)} />;
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h1 className="text-2xl">Sign in</h1>
        <p className="mt-1 text-muted">
          {describeSignUpRule(signUp) ?? 'Your first sign-in creates your account.'} No password needed.
        </p>
      </div>
      {problem && (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      )}
      {opened !== null && (
        <OtherAddress
          opened={opened}
          gatewayUrl={gatewayUrl}
          path={`/sign-in?callbackUrl=${encodeURIComponent(callbackUrl)}`}
        />
      )}
      {methods.email && <EmailForm onSend={sendMail} />}
      {methods.email && oauth && (
        <div className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </div>
      )}
      {oauth && <OAuthButtons methods={methods} callbackUrl={callbackUrl} />}
      {!methods.email && !oauth && (
        <Notice tone="warning" title="Sign-in is not configured">
          The operator has not configured a sign-in method.
        </Notice>
      )}
    </div>
  );
}
