export const MAX_LABEL_LENGTH = 64;
