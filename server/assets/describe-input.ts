import { SNIFFED_BYTES, sniff, UNKNOWN_TYPE } from './content-type';
import { nameFromUrl, safeFileName } from './file-name';

/** What bytes are by their own beginning, and by nothing else. */
export async function contentTypeFromHead(head: Uint8Array): Promise<string> {
  return (await sniff(head.subarray(0, SNIFFED_BYTES))) ?? UNKNOWN_TYPE;
}

/** How the file of an answer is called: as Content-Disposition says, else as its address ends. */
export function nameOfResponse(disposition: string | null, url: URL): string {
  const header = disposition ?? '';
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) {
    try {
      return safeFileName(decodeURIComponent(extended));
    } catch {
      // Not as RFC 8187 wants it: the plain form, or the address.
    }
  }
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header);
  const name = plain?.[1] ?? plain?.[2];
  return name ? safeFileName(name) : nameFromUrl(url);
}
