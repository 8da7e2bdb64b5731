import { SNIFFED_BYTES, sniffContentType, UNKNOWN_TYPE } from './content-type';
import { nameFromUrl, safeFileName } from './file-name';

/** Detects the content type from the bytes alone. */
export async function detectTypeFromHead(head: Uint8Array): Promise<string> {
  return (await sniffContentType(head.subarray(0, SNIFFED_BYTES))) ?? UNKNOWN_TYPE;
}

/** Name of a downloaded file: from Content-Disposition, else from the end of the URL. */
export function getResponseFileName(disposition: string | null, url: URL): string {
  const header = disposition ?? '';
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) {
    try {
      return safeFileName(decodeURIComponent(extended));
    } catch {
      // Invalid RFC 8187 encoding: use the plain form or the URL.
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header);
  const name = plain?.[1]?.replace(/\\(["\\])/g, '$1') ?? plain?.[2];
  return name ? safeFileName(name) : nameFromUrl(url);
}
