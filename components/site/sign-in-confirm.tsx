import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { Notice } from '../ui/notice';
import { signInErrorText } from './sign-in-error';

export interface SignInLink {
  /** From the URL, like the other fields: untrusted. */
  email: string;
  token: string;
  callbackUrl: string;
  /** Whether the token signs in now: not if it was used, has expired, or is wrong. */
  isValid: boolean;
  /** The address that this browser is signed in with, if any. */
  signedInAs: string | null;
}

/** Asks for confirmation before a sign-in link is used. The form works without JavaScript. */
export function SignInConfirm({ email, token, callbackUrl, isValid, signedInAs }: SignInLink) {
  if (!isValid && signedInAs !== null)
    return (
      <div className="flex flex-col items-start gap-6">
        <h1 className="text-2xl">You are signed in</h1>
        <p className="text-muted">
          This link has been used or has expired, and you do not need it: you are signed in as{' '}
          <span className="font-medium text-ink [overflow-wrap:anywhere]">{signedInAs}</span>.
        </p>
        <a href="/dashboard" className={buttonClass({ variant: 'primary' })}>
          Open the dashboard
        </a>
      </div>
    );
  if (!isValid)
    return (
      <div className="flex flex-col items-start gap-6">
        <h1 className="text-2xl">Sign in</h1>
        <Notice tone="danger">{signInErrorText('Verification')}</Notice>
        <a href="/sign-in" className={buttonClass({ variant: 'primary' })}>
          Request a new link
        </a>
      </div>
    );
  const query = new URLSearchParams({ callbackUrl, token, email });
  return (
    <form method="post" action={`/api/auth/callback/email?${query}`} className="flex flex-col gap-6">
      <div>
        <h1 className="text-2xl">Sign in</h1>
        <p className="mt-1 text-muted">
          This link signs you in as{' '}
          <span className="font-medium text-ink [overflow-wrap:anywhere]">{email}</span>. If you did not
          request it, close this page.
        </p>
      </div>
      <Button type="submit" variant="primary" size="lg">
        Sign in
      </Button>
    </form>
  );
}
