export const MAX_TEAM_NAME_LENGTH = 60;
export const MIN_SLUG_LENGTH = 3;
export const MAX_SLUG_LENGTH = 40;
