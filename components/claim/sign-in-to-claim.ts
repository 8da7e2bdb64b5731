/** The sign-in URL that returns to this claim. */
export function signInToClaim(token: string): string {
  return `/sign-in?callbackUrl=${encodeURIComponent(`/claim?token=${encodeURIComponent(token)}`)}`;
}
