import { isTransientStatus } from '../sdk/is-transient-status';
import type { OutboundFetch } from '../sdk/skill-context';
import { InputError, SkillError } from '../sdk/skill-error';

/** Larger pages are not readable text. */
const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const PAGE_TIMEOUT_MS = 30_000;
const HTML = /^(text\/html|application\/xhtml\+xml|text\/plain|text\/markdown|$)/;

/** Suggestions for content that is not a web page. */
const OTHERS: readonly [RegExp, string][] = [
  [/^application\/pdf/, 'It is a PDF: use pdf.extract_text with this URL.'],
  [/^image\//, 'It is an image: use image.inspect with this URL.'],
  [/^(audio|video)\//, 'It is a recording: use the tools media or transcription with this URL.'],
  [/json|xml|csv|^text\//, 'It is data: use web-reader.fetch to get it unchanged.'],
];

export interface FetchedPage {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/**
 * Fetches a page for reading.
 * @throws {SkillError} if the status is not 2xx, or the content is not HTML or plain text
 */
export async function fetchPage(
  fetch: OutboundFetch,
  url: string,
  { maxBytes = MAX_PAGE_BYTES, signal }: { maxBytes?: number; signal?: AbortSignal } = {},
): Promise<FetchedPage> {
  const response = await fetch(url, {
    headers: { accept: 'text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.5' },
    maxBytes,
    timeoutMs: PAGE_TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  });
  const contentType = response.headers.get('content-type')?.trim().toLowerCase() ?? '';
  const refused = findRefusal(response.status, contentType);
  if (refused !== null) {
    await response.body?.cancel();
    throw isTransientStatus(response.status) ? new SkillError(refused) : new InputError(refused);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { url: response.url || url, status: response.status, contentType, bytes };
}

function findRefusal(status: number, contentType: string): string | null {
  if (status === 404 || status === 410) return `The page does not exist (status ${status}).`;
  if (status === 401 || status === 403) return `The site denies access to this page (status ${status}).`;
  if (status === 429) return 'The site is rate limiting requests (429). Try again later.';
  if (status < 200 || status > 299) return `The site responded with status ${status}.`;
  if (HTML.test(contentType)) return null;
  const other =
    OTHERS.find(([type]) => type.test(contentType))?.[1] ?? 'Use web-reader.fetch to get it as a file.';
  return `The content is ${contentType.split(';')[0]}, not a web page. ${other}`;
}
