/** Who may sign up. */
export interface SignUp {
  policy: 'open' | 'invite' | 'domains';
  domains: readonly string[];
}

/** What a new person needs to sign up; null if anyone may. */
export function describeSignUpRule({ policy, domains }: SignUp): string | null {
  if (policy === 'open') return null;
  if (policy === 'invite') return 'New accounts need an invitation.';
  return `New accounts need an address at ${domains.join(' or ')}, or an invitation.`;
}
