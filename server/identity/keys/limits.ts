export const MAX_KEY_NAME_LENGTH = 100;
export const MAX_ALLOWED_TOOLS = 100;
export const MAX_ALLOWED_IPS = 50;
export const MAX_TAGS = 10;
export const MAX_TAG_LENGTH = 40;
/** How long a secret may work after its rotation: 7 days. */
export const MAX_GRACE_SECONDS = 604_800;
