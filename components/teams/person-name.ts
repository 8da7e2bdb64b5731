/** The name of a team member; people with a deleted account have neither a name nor an address. */
export function personName({ name, email }: { name: string | null; email: string | null }): string {
  return name ?? email ?? 'Deleted account';
}
