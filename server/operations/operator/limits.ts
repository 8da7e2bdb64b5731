/** Length of the reason in the audit log. */
export const MIN_REASON_LENGTH = 3;
export const MAX_REASON_LENGTH = 500;
/** Orders of lists by time; the first is the default. */
export const TIME_SORTS = ['created.desc', 'created.asc'] as const;
/** Orders of the accounts, by column and direction; the first is the default. */
export const ACCOUNT_SORTS = [
  ...TIME_SORTS,
  'balance.desc',
  'balance.asc',
  'spent.desc',
  'spent.asc',
] as const;

/** Days of refused calls that an account shows, and how many rows. */
export const REFUSALS_DAYS = 7;
export const MAX_ACCOUNT_REFUSALS = 50;
