/** The parameters of a sign-in link, with next-auth's names. */
interface SignInLink {
  token: string;
  email: string;
  /** Where the sign-in redirects to. */
  callbackUrl: string;
}

/**
 * Builds a sign-in link to a confirmation page. Email scanners open links, so opening one neither
 * signs anyone in nor uses it up.
 */
export function signInUrl(baseUrl: string, { token, email, callbackUrl }: SignInLink): string {
  return `${baseUrl}/sign-in/confirm?${new URLSearchParams({ callbackUrl, token, email })}`;
}
