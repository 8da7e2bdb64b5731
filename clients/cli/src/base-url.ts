/**
 * Normalizes the base URL of a gateway: no trailing slash, no `/v1`.
 * @throws TypeError when it is not an http(s) URL, or contains a user name, a query or a fragment
 */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new TypeError(`"${text}" is not a valid base URL. Use a URL such as https://gateway.example.com.`);
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}
