/**
 * The address of a gateway as it is written down everywhere: without a slash at its end, without `/v1`.
 * @throws TypeError where it is no http(s) address, or has a user, a query or a fragment
 */
export function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new TypeError(`"${text}" is no base URL: write it as https://gateway.example.com.`);
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}
