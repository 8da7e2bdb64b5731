const MAX_LENGTH = 1024;

/** An address that a person can be shown; any other is as if it had not been given. */
export function readHomePage(uri: string | undefined): string | null {
  if (uri === undefined || !URL.canParse(uri)) return null;
  const url = new URL(uri);
  const plain = url.protocol === 'https:' && url.username === '' && url.password === '';
  return plain && url.href.length <= MAX_LENGTH ? url.href : null;
}
