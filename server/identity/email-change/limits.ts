/** How long the link to the new address works. */
export const CONFIRM_HOURS = 24;
/** How long the old address can undo a change. */
export const UNDO_DAYS = 7;
