import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { Notice } from '../ui/notice';
import { signInErrorText } from './sign-in-error';

export interface SignInLink {
  /** From the URL, like the other fields: untrusted. */
  email: string;
  token: string;
  callbackUrl: string;
}

/** Asks for confirmation before a sign-in link is used. The form works without JavaScript. */
export function SignInConfirm({ email, token, callbackUrl }: SignInLink) {
  if (email === '' || token === '')
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
