import { ACCOUNT_SORTS } from '@/server/operations/operator/limits';
import type { AccountsInput } from '@/server/operations/operator/schema';

type Status = NonNullable<AccountsInput['status']>;

export const ACCOUNT_STATUSES: readonly { value: Status; label: string }[] = [
  { value: 'provisional', label: 'Provisional' },
  { value: 'personal', label: 'Personal' },
  { value: 'team', label: 'Team' },
  { value: 'frozen', label: 'Frozen' },
  { value: 'debt', label: 'In debt' },
  { value: 'closed', label: 'Closed' },
];

/**
 * Length of the public part of a key: if a full key is pasted, only this part gets into the URL.
 */
const KEY_CHARS = 12;

/** The search text, without the secret part of a key. */
export function searchWord(text: string): string {
  return text.trim().startsWith('tg_live_') ? text.trim().slice(0, KEY_CHARS) : text.slice(0, 200);
}

/** Reads the filters from a URL and drops invalid values. */
export function readAccountFilters(
  get: (name: string) => string | null,
): Pick<AccountsInput, 'q' | 'status' | 'sort'> {
  const [status, sort] = [get('status'), get('sort')];
  return {
    q: searchWord(get('q') ?? '') || undefined,
    status: ACCOUNT_STATUSES.find(({ value }) => value === status)?.value,
    sort: ACCOUNT_SORTS.find((value) => value === sort),
  };
}
