export const MIN_CODE_LENGTH = 4;
export const MAX_CODE_LENGTH = 32;
export const MAX_NOTE_LENGTH = 200;
export const MAX_REDEMPTIONS = 1_000_000;
export const MAX_PROMO_USD = 10_000;
