/** Messages for next-auth's error codes. */
const MESSAGES: Record<string, string> = {
  OAuthSignin: 'The sign-in service could not be reached. Try again, or use another method.',
  OAuthCallback: 'The sign-in service returned an unexpected response. Try again, or use another method.',
  OAuthCreateAccount: 'Your account could not be created. Try again, or use another method.',
  EmailCreateAccount: 'Your account could not be created. Try again.',
  Callback: 'The sign-in did not finish. Try again.',
  OAuthAccountNotLinked:
    'This email address already signs in with another method. Use the method you used first.',
  EmailSignin: 'The email could not be sent. Check the address and try again.',
  CredentialsSignin: 'These credentials are not valid. Try again.',
  SessionRequired: 'Sign in to see that page.',
  AccessDenied: 'The sign-in was refused. If you cancelled it, try again.',
  SignUpRefused:
    'You cannot sign up with this address: new accounts need an invitation. Ask the operator of this gateway for one, or sign in with the address that has your account.',
  SignUpUnverified:
    'This sign-in did not verify your email address, which new accounts need here. Sign in with a link to your address, or ask the operator of this gateway.',
  OidcEmailUnverified:
    'The single sign-on did not confirm your email address. Verify it there, then try again.',
  Verification:
    'This link no longer works: it has already been used or is older than 24 hours. Request a new one.',
  Configuration: 'Sign-in is misconfigured on this gateway. Ask the operator of this gateway.',
};

/**
 * The message for a code in `?error=`.
 * @param code from the URL and untrusted, so an unknown one is never displayed
 */
export function signInErrorText(code: string): string | null {
  if (code === '') return null;
  return Object.hasOwn(MESSAGES, code) ? (MESSAGES[code] ?? null) : 'Sign-in failed. Try again.';
}
