/** The start of messages about a file that exists only where the client runs. */
export const NEEDS_UPLOAD = 'Must be uploaded first';

const DATA_URI = /^data:/i;
const FILE_URL = /^file:/i;
/** `./a`, `../a`, `~/a`, `/a`, `C:\a`, and a bare name with an extension. */
const PATH = /^(?:\.{0,2}[/\\]|~[/\\]|[A-Za-z]:[/\\]|[^\s:]+\.[A-Za-z0-9]{1,5}$)/;

/** Explains why a text names no file that the gateway can read, and what to give instead. */
export function describeFileReference(text: unknown): string {
  const accepted = 'an asset id (asset_…) or an http(s) URL';
  if (typeof text !== 'string') return `Must be ${accepted}`;
  if (DATA_URI.test(text)) return `${NEEDS_UPLOAD}: data URIs are not read. Give ${accepted}`;
  if (FILE_URL.test(text) || PATH.test(text))
    return `${NEEDS_UPLOAD}: the gateway cannot read a path of your machine. Give ${accepted}`;
  return `Must be ${accepted}`;
}
