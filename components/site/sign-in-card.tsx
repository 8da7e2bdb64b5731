'use client';

import { useState } from 'react';
import { beginSignIn } from '../shared/auth-client';
import { Notice } from '../ui/notice';
import { CheckMail } from './check-mail';
import { EmailForm } from './email-form';
import { OAuthButtons } from './oauth-buttons';
import { SignInConfirm, type SignInLink } from './sign-in-confirm';
import { signInErrorText } from './sign-in-error';

export interface SignInMethods {
  email: boolean;
  github: boolean;
  google: boolean;
}

interface SignInCardProps {
  methods: SignInMethods;
  /** Mail is kept on this machine: the link is in /inbox. */
  localInbox: boolean;
  /** Checked already: a path of our own. */
  callbackUrl: string;
  /** next-auth's code, from the address. */
  errorCode: string;
  /** Arrived after the mail was sent, without this page's state. */
  sent: boolean;
}

/** What a sign-in link asks. In the file of the card, so that both pages load the same scripts. */
export function SignInByLink(props: SignInLink) {
  return <SignInConfirm {...props} />;
}

/** The ways to sign in that are set up here, and what comes of them. */
export function SignInCard({ methods, localInbox, callbackUrl, errorCode, sent }: SignInCardProps) {
  const [sentTo, setSentTo] = useState<string | null>(sent ? '' : null);
  const [problem, setProblem] = useState(() => signInErrorText(errorCode));
  const oauth = methods.github || methods.google;

  async function sendMail(email: string) {
    setProblem(null);
    const outcome = await beginSignIn('email', { email, callbackUrl }).catch(() => null);
    if (outcome && !outcome.error) setSentTo(email);
    else
      setProblem(
        outcome ? signInErrorText(outcome.error ?? 'Default') : 'The gateway did not answer. Try again.',
      );
  }

  if (sentTo !== null)
    return <CheckMail address={sentTo} localInbox={localInbox} onAgain={() => setSentTo(null)} />;
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h1 className="text-2xl">Sign in</h1>
        <p className="mt-1 text-muted">The first time makes your account. There is no password.</p>
      </div>
      {problem && (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      )}
      {methods.email && <EmailForm onSend={sendMail} />}
      {methods.email && oauth && (
        <div className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </div>
      )}
      {oauth && <OAuthButtons methods={methods} callbackUrl={callbackUrl} />}
      {!methods.email && !oauth && (
        <Notice tone="warning" title="Nobody can sign in here yet">
          The operator has not set up any way to sign in.
        </Notice>
      )}
    </div>
  );
}
