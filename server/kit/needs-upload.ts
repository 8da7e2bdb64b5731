/** The start of messages about a file that exists only where the client runs. */
export const NEEDS_UPLOAD = 'Must be uploaded first';

const DATA_URI = /^data:/i;
const FILE_URL = /^file:/i;
/** `./a`, `../a`, `~/a`, `/a`, `C:\a`, and a bare name with an extension. */
const PATH = /^(?:\.{0,2}[/\\]|~[/\\]|[A-Za-z]:[/\\]|[^\s:]+\.[A-Za-z0-9]{1,5}$)/;

/** Another scheme, or an id that only looks like one of an asset. */
const LINK = /^(?:[a-z][a-z0-9+.-]*:\/\/|asset_)/i;

/** Explains why a text names no file that the gateway can read, and what to give instead. */
export function describeFileReference(text: unknown): string {
  const accepted = 'an asset id (asset_…) or an http(s) URL';
  if (typeof text !== 'string') return `Must be ${accepted}`;
  if (DATA_URI.test(text)) return `${NEEDS_UPLOAD}: data URIs are not read. Give ${accepted}`;
  if (FILE_URL.test(text) || PATH.test(text))
    return `${NEEDS_UPLOAD}: the gateway cannot read a path of your machine. Give ${accepted}`;
  if (text.length > 0 && !LINK.test(text))
    return `${NEEDS_UPLOAD}, unless it has an address: the text is not read as a file. Give ${accepted}`;
  return `Must be ${accepted}`;
}
