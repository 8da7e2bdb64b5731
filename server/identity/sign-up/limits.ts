export const MAX_DOMAINS = 50;
/** Invitations that are open at once. */
export const MAX_OPEN_SIGN_UP_INVITATIONS = 1_000;
