/** How a person of a team is named; people whose account is gone have neither name nor address. */
export function personName({ name, email }: { name: string | null; email: string | null }): string {
  return name ?? email ?? 'Deleted account';
}
