/** How many days the status page shows. */
export const STATUS_DAYS = 90;
export const MAX_TITLE_LENGTH = 120;
export const MAX_MESSAGE_LENGTH = 2_000;
/** The most updates of an incident. */
export const MAX_UPDATES = 50;
/** How many incidents the status page shows. */
export const SHOWN_INCIDENTS = 20;
