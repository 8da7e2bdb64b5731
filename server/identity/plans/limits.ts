export const MAX_PLAN_NAME_LENGTH = 40;
/** The bounds of the settings of the same names. */
export const MAX_CONCURRENT = 10_000;
export const MAX_STORAGE_MIB = 1_048_576;
