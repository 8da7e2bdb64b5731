import type { AccountRow } from '@/server/operations/operator/schema';

/** A team's name, or a person's email address. */
export function accountName({ type, name, slug, email }: AccountRow): string {
  return type === 'team' ? name : (email ?? slug ?? name);
}
