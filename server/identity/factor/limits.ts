/** Recovery codes that a person gets at once. */
export const RECOVERY_CODE_COUNT = 10;

/** A code of six digits, or a recovery code with its hyphens and some spaces. */
export const MAX_CODE_LENGTH = 40;
