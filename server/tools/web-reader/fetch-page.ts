import { InputError, SkillError } from '../sdk/skill-error';
import type { OutboundFetch } from '../sdk/skill-context';
import { mayPass } from '../sdk/may-pass';

/** A page larger than this is no text for a reader. */
const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const PAGE_TIMEOUT_MS = 30_000;
const HTML = /^(text\/html|application\/xhtml\+xml|text\/plain|text\/markdown|$)/;

/** Which tool reads what is no page. */
const OTHERS: readonly [RegExp, string][] = [
  [/^application\/pdf/, 'It is a PDF: use pdf.extract_text with this address.'],
  [/^image\//, 'It is an image: use image.inspect with this address.'],
  [/^(audio|video)\//, 'It is a recording: use the tools media or transcription with this address.'],
  [/json|xml|csv|^text\//, 'It is data: use web-reader.fetch to get it as it is.'],
];

export interface FetchedPage {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/**
 * Fetches a page to read it.
 * @throws SkillError where there is none: another status than 2xx, or another type than HTML or
 *   plain text
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
  const refused = refusalOf(response.status, contentType);
  if (refused !== null) {
    await response.body?.cancel();
    throw mayPass(response.status) ? new SkillError(refused) : new InputError(refused);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { url: response.url || url, status: response.status, contentType, bytes };
}

function refusalOf(status: number, contentType: string): string | null {
  if (status === 404 || status === 410) return `The page does not exist (the site answered ${status}).`;
  if (status === 401 || status === 403)
    return `The site does not let this page be read (it answered ${status}).`;
  if (status === 429) return 'The site says that it is asked too often (429): try again later.';
  if (status < 200 || status > 299) return `The site answered ${status}.`;
  if (HTML.test(contentType)) return null;
  const other =
    OTHERS.find(([type]) => type.test(contentType))?.[1] ?? 'Use web-reader.fetch to get it as a file.';
  return `The address is no page but ${contentType.split(';')[0]}. ${other}`;
}
