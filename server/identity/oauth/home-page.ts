const MAX_LENGTH = 1024;

/** Parses an application's home page; null unless it is an https URL that is safe to show. */
export function readHomePage(uri: string | undefined): string | null {
  if (uri === undefined || !URL.canParse(uri)) return null;
  const url = new URL(uri);
  const plain = url.protocol === 'https:' && url.username === '' && url.password === '';
  return plain && url.href.length <= MAX_LENGTH ? url.href : null;
}
