/**
 * Without the signs of groups and comments, and with a domain of ASCII labels: one mailbox has one
 * spelling.
 */
const ADDRESS =
  /^[^\s@,;:\\"<>()[\]\p{C}]+@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/u;
const MAX_LENGTH = 254;

/**
 * One address in lower case, as all are stored; a second one behind a comma would get the sign-in
 * link too.
 * @throws Error where the text is not exactly one address
 */
export function normalizeEmail(text: string): string {
  const address = text.trim().toLowerCase();
  if (!ADDRESS.test(address) || address.length > MAX_LENGTH) throw new Error('Only a single e-mail address');
  return address;
}
