import { fileTypeFromBuffer } from 'file-type';

export const UNKNOWN_TYPE = 'application/octet-stream';
/** What file-type looks at. */
export const SNIFFED_BYTES = 4100;

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,60}$/;

/** Types whose bytes say what they are: where they do not, the claim is false. */
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
};

/**
 * What a file is: by the beginning of its bytes, else as it was declared, else by its name.
 * @param head at least the first 4,100 bytes, or all there are
 */
export async function contentTypeOf(
  head: Uint8Array,
  { declared, filename }: { declared?: string | undefined; filename?: string | undefined },
): Promise<string> {
  const found = await sniff(head);
  if (found !== null && found !== 'application/xml') return found;
  const claimed = declared?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (MEDIA_TYPE.test(claimed) && claimed !== UNKNOWN_TYPE)
    return SELF_EVIDENT.test(claimed) ? UNKNOWN_TYPE : claimed;
  const extension = /\.([A-Za-z0-9]+)$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  return (
    (Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined) ?? found ?? UNKNOWN_TYPE
  );
}

/** Null where the bytes do not say. */
export async function sniff(head: Uint8Array): Promise<string | null> {
  try {
    return (await fileTypeFromBuffer(head))?.mime ?? null;
  } catch {
    // A beginning that promises more than is there.
    return null;
  }
}

/** What a browser shows without being able to run anything in it. All else is only offered as a download (threats C1). */
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
/** Read as plain text, whatever language it is in. */
const TEXTS: ReadonlySet<string> = new Set([
  'text/plain',
  'text/markdown',
  'text/csv',
  'text/tab-separated-values',
  'application/json',
]);

/** How an address of ours may give it to a browser. */
export function servedAs(contentType: string): { contentType: string; disposition: 'inline' | 'attachment' } {
  if (INERT.has(contentType)) return { contentType, disposition: 'inline' };
  if (TEXTS.has(contentType)) return { contentType: 'text/plain; charset=utf-8', disposition: 'inline' };
  // Its viewer runs the scripts of the document; downloaded, it is named as what it is.
  if (contentType === 'application/pdf') return { contentType, disposition: 'attachment' };
  return { contentType: UNKNOWN_TYPE, disposition: 'attachment' };
}

/** How a page can show it. */
export function previewOf(contentType: string): 'image' | 'audio' | 'video' | 'pdf' | 'text' | 'none' {
  if (TEXTS.has(contentType)) return 'text';
  if (contentType === 'application/pdf') return 'pdf';
  if (!INERT.has(contentType)) return 'none';
  const kind = contentType.split('/', 1)[0];
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'none';
}
