import { parseJson } from '../ui/parse-json';

/** Longer URLs may be truncated in transit, so the link then omits the input. */
const MAX_PARAMETER_CHARS = 1_500;

type JsonObject = Record<string, unknown>;

/** A playground link to a skill, with the input prefilled if it is short enough. */
export function playgroundPath(tool: string, skill: string, input?: JsonObject): string {
  const query = new URLSearchParams({ tool, skill });
  const written = input === undefined ? '' : writeInput(input);
  if (written !== '' && written.length <= MAX_PARAMETER_CHARS) query.set('input', written);
  return `/dashboard/playground?${query}`;
}

/** A playground link that runs a call again: the page fills in its input, if that is stored. */
export function rerunPath({ id, tool, skill }: { id: string; tool: string; skill: string }): string {
  return `${playgroundPath(tool, skill)}&call=${encodeURIComponent(id)}`;
}

/** JSON in base64url, for use in a URL. */
function writeInput(input: JsonObject): string {
  const bytes = new TextEncoder().encode(JSON.stringify(input));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The input in a URL, in base64url or as plain JSON; null if missing or invalid. */
export function readInput(written: string | undefined): JsonObject | null {
  if (!written || written.length > MAX_PARAMETER_CHARS) return null;
  try {
    const parsed = parseJson(written.startsWith('{') ? written : fromBase64(written));
    const input = parsed.ok ? parsed.value : null;
    return typeof input === 'object' && input !== null && !Array.isArray(input)
      ? (input as JsonObject)
      : null;
  } catch {
    return null;
  }
}

function fromBase64(written: string): string {
  const binary = atob(written.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
