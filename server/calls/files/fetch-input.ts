import { parseAssetUrl } from '../../assets/asset-urls';
import { detectTypeFromHead, getResponseFileName } from '../../assets/describe-input';
import { findPublicAsset } from '../../assets/find-public-asset';
import { InputError, isSkillError, SkillError } from '../../core/errors/skill-error';
import type { Runtime } from '../../core/runtime';
import { isTransientStatus } from '../../tools/sdk/is-transient-status';

const MIB = 1024 * 1024;
const SNIFFED_BYTES = 4100;
/** Covers the request and the whole response body. */
const FETCH_TIMEOUT_MS = 120_000;

/** An input file of a call, about to be written to disk. */
export interface InputSource {
  filename: string;
  /** @returns the size and type of the written bytes */
  writeTo(
    write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<{ sizeBytes: number; contentType: string }>;
}

/**
 * Opens the file behind a reference: a stored asset or any http(s) URL.
 * @throws SkillError with a message for the caller
 */
export async function fetchInput(
  runtime: Pick<Runtime, 'db' | 'ports' | 'settings'>,
  reference: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<InputSource> {
  const url = URL.canParse(reference) ? new URL(reference) : null;
  // Assets of this gateway are read directly: outbound requests may not reach our own address.
  const assetId = url ? parseAssetUrl(runtime.settings.baseUrl, url) : reference;
  if (assetId !== null) return await openAsset(runtime, assetId, maxBytes);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InputError(`${shorten(reference)} is neither an asset id nor an http(s) address.`);
  return await download(runtime, url, maxBytes, signal);
}

async function openAsset(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  assetId: string,
  maxBytes: number,
): Promise<InputSource> {
  const asset = await findPublicAsset(runtime, assetId);
  if (!asset)
    throw new SkillError(`There is no asset ${shorten(assetId)}. It may have been removed.`, {
      failure: 'ASSET_NOT_FOUND',
    });
  if (asset.meta.size_bytes > maxBytes) throw tooLarge(assetId, maxBytes);
  const bytes = await asset.open();
  return {
    filename: asset.meta.filename,
    writeTo: (write) => writeMeasured(bytes, write, assetId, maxBytes),
  };
}

async function download(
  runtime: Pick<Runtime, 'ports'>,
  url: URL,
  maxBytes: number,
  signal: AbortSignal,
): Promise<InputSource> {
  const name = shorten(url.href);
  let response: Response;
  try {
    response = await runtime.ports.outbound(url, { signal, maxBytes, timeoutMs: FETCH_TIMEOUT_MS });
  } catch (cause) {
    // Messages of the outbound guard are safe. Network errors stay hidden, so callers cannot probe
    // hosts.
    if (isSkillError(cause)) throw cause.failure === 'INVALID_INPUT' ? unreachable(name, cause) : cause;
    throw new SkillError(`${name} cannot be reached.`, { cause });
  }
  const { body } = response;
  if (!response.ok || !body) {
    await body?.cancel();
    const message = `${name} answered ${response.status}.`;
    throw isTransientStatus(response.status) ? new SkillError(message) : new InputError(message);
  }
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await body.cancel();
    throw tooLarge(name, maxBytes);
  }
  const filename = getResponseFileName(response.headers.get('content-disposition'), url);
  return { filename, writeTo: (write) => writeMeasured(body, write, name, maxBytes) };
}

/** Writes the bytes, counts them and detects their content type. */
async function writeMeasured(
  bytes: AsyncIterable<Uint8Array>,
  write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  name: string,
  maxBytes: number,
): Promise<{ sizeBytes: number; contentType: string }> {
  let sizeBytes = 0;
  let head = Buffer.alloc(0);
  async function* countBytes() {
    for await (const chunk of bytes) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes) throw tooLarge(name, maxBytes);
      if (head.length < SNIFFED_BYTES)
        head = Buffer.concat([head, chunk.subarray(0, SNIFFED_BYTES - head.length)]);
      yield chunk;
    }
  }
  try {
    await write(countBytes());
  } catch (error) {
    if (isSkillError(error)) throw error;
    throw new SkillError(`The download of ${shorten(name)} was interrupted.`, { cause: error });
  }
  return { sizeBytes, contentType: await detectTypeFromHead(head) };
}

function unreachable(name: string, cause: SkillError): InputError {
  return new InputError(`${name}: ${cause.message} Upload a file of yours, and give its asset_id.`, {
    cause,
  });
}

function tooLarge(name: string, maxBytes: number): InputError {
  const limit =
    maxBytes >= MIB
      ? `${Math.floor((maxBytes / MIB) * 10) / 10} MiB`
      : `${maxBytes.toLocaleString('en')} bytes`;
  return new InputError(`${shorten(name)} is larger than ${limit}, the most that this skill takes.`);
}

/** Shortens a reference for a message. */
function shorten(reference: string): string {
  return reference.length > 120 ? `${reference.slice(0, 117)}…` : reference;
}
