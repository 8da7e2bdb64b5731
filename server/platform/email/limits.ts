/** Attempts to send an email, spread over about eight hours. */
export const MAX_ATTEMPTS = 10;
