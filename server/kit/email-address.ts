/** No groups, comments or quoted parts, ASCII domain labels only: one mailbox has one spelling. */
const ADDRESS =
  /^[^\s@,;:\\"<>()[\]\p{C}]+@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/u;
const MAX_LENGTH = 254;

/**
 * Normalizes one address to trimmed lower case, the stored form. Lists are rejected, because a
 * second address after a comma would also receive the sign-in link.
 * @throws Error unless the text is exactly one address
 */
export function normalizeEmail(text: string): string {
  const address = text.trim().toLowerCase();
  if (!ADDRESS.test(address) || address.length > MAX_LENGTH) throw new Error('Expected one email address');
  return address;
}
