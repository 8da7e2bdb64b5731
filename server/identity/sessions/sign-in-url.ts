/** What a sign-in link carries; next-auth's names. */
interface SignInLink {
  token: string;
  email: string;
  /** Where it leads then. */
  callbackUrl: string;
}

/**
 * The address of a sign-in link: a page that asks. Programs that read emails open links before the
 * person does, so opening one signs nobody in and does not use it up.
 */
export function signInUrl(baseUrl: string, { token, email, callbackUrl }: SignInLink): string {
  return `${baseUrl}/sign-in/confirm?${new URLSearchParams({ callbackUrl, token, email })}`;
}
