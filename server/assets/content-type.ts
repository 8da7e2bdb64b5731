import { fileTypeFromBuffer } from 'file-type';

export const UNKNOWN_TYPE = 'application/octet-stream';
/** How many bytes file-type reads. */
export const SNIFFED_BYTES = 4100;

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,60}$/;

/**
 * Types of files that are ZIP archives. Their first bytes often say no more than that, because the
 * entry that names the type can be anywhere.
 */
const ZIP_BASED =
  /^application\/(vnd\.openxmlformats-officedocument\.|vnd\.ms-(word|excel|powerpoint)\.|vnd\.oasis\.opendocument\.|epub\+zip$|java-archive$|vnd\.android\.package-archive$)/;

/** Types that file-type recognizes from the bytes. If it does not, the declared type is wrong. */
const SELF_EVIDENT = /^(image\/(?!svg\+xml$)|audio\/|video\/|font\/|application\/(pdf|zip|gzip)$)/;

const BY_EXTENSION: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  html: 'text/html',
  htm: 'text/html',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
};

/**
 * Determines the content type of a file: from its first bytes, else as declared, else from its
 * name.
 * @param head at least the first 4,100 bytes, or the whole file
 */
export async function detectContentType(
  head: Uint8Array,
  { declared, filename }: { declared?: string | undefined; filename?: string | undefined },
): Promise<string> {
  const found = await sniffContentType(head);
  const claimed = declared?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const extension = /\.([A-Za-z0-9]+)$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  const named = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
  if (found === 'application/zip')
    return [claimed, named].find((type) => type !== undefined && ZIP_BASED.test(type)) ?? found;
  if (found !== null && found !== 'application/xml') return found;
  if (MEDIA_TYPE.test(claimed) && claimed !== UNKNOWN_TYPE)
    return SELF_EVIDENT.test(claimed) || ZIP_BASED.test(claimed) ? UNKNOWN_TYPE : claimed;
  return (named !== undefined && !ZIP_BASED.test(named) ? named : found) ?? UNKNOWN_TYPE;
}

/** Detects the content type from the bytes; null if they are inconclusive. */
export async function sniffContentType(head: Uint8Array): Promise<string | null> {
  try {
    const found = (await fileTypeFromBuffer(head))?.mime ?? null;
    // The byte order mark of UTF-16 looks like the header of an MPEG frame.
    const isUtf16 = head[0] === 0xff && head[1] === 0xfe;
    return isUtf16 && found?.startsWith('audio/') ? null : found;
  } catch {
    // A truncated file.
    return null;
  }
}

/**
 * Types that a browser displays without running code in them. All others are download only (threats
 * C1).
 */
const INERT: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'video/mp4',
  'video/webm',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/wav',
  'audio/ogg',
  'video/ogg',
  'audio/flac',
]);
/** Served as plain text, whatever their declared type. */
const TEXTS: ReadonlySet<string> = new Set([
  'text/plain',
  'text/markdown',
  'text/csv',
  'text/tab-separated-values',
  'application/json',
]);

/** How a file may be served under our origin. */
export function getServingPolicy(contentType: string): {
  contentType: string;
  disposition: 'inline' | 'attachment';
} {
  if (INERT.has(contentType)) return { contentType, disposition: 'inline' };
  if (TEXTS.has(contentType)) return { contentType: 'text/plain; charset=utf-8', disposition: 'inline' };
  // PDF viewers run scripts, so PDFs are download only, with their true type.
  if (contentType === 'application/pdf') return { contentType, disposition: 'attachment' };
  return { contentType: UNKNOWN_TYPE, disposition: 'attachment' };
}

/** How a page can preview a content type. */
export function getPreviewKind(contentType: string): 'image' | 'audio' | 'video' | 'pdf' | 'text' | 'none' {
  if (TEXTS.has(contentType)) return 'text';
  if (contentType === 'application/pdf') return 'pdf';
  if (!INERT.has(contentType)) return 'none';
  const kind = contentType.split('/', 1)[0];
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'none';
}
