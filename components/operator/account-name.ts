import type { AccountRow } from '@/server/operations/operator/schema';

/** A team by its own name, a person by their address. */
export function accountName({ type, name, slug, email }: AccountRow): string {
  return type === 'team' ? name : (email ?? slug ?? name);
}
