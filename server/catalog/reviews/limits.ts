export const MAX_REVIEW_LENGTH = 5000;
