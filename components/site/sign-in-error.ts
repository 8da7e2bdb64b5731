/** What each error code of next-auth means to a person. */
const MESSAGES: Record<string, string> = {
  OAuthSignin: 'The sign-in service could not be reached. Try again, or use another way.',
  OAuthCallback: 'The sign-in service answered something unexpected. Try again, or use another way.',
  OAuthCreateAccount: 'Your account could not be made. Try again, or use another way.',
  EmailCreateAccount: 'Your account could not be made. Try again.',
  Callback: 'The sign-in did not finish. Try again.',
  OAuthAccountNotLinked:
    'This e-mail address already signs in here in another way. Use the way you used the first time.',
  EmailSignin: 'The mail could not be sent. Check the address and try again.',
  CredentialsSignin: 'That did not match. Try again.',
  SessionRequired: 'Sign in to see that page.',
  AccessDenied: 'This sign-in was refused. If you stopped it yourself, try again.',
  Verification:
    'This link no longer works: it was used already, or it is older than 24 hours. Ask for a new one.',
  Configuration: 'Sign-in is not set up correctly on this gateway. Tell its operator.',
};

/**
 * The sentence for a code in `?error=`.
 * @param code from the address: anyone may have written it, so an unknown one is never shown
 */
export function signInErrorText(code: string): string | null {
  if (code === '') return null;
  return Object.hasOwn(MESSAGES, code) ? (MESSAGES[code] ?? null) : 'The sign-in did not work. Try again.';
}
