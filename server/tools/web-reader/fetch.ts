import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { decodeText } from '../../kit/decode-text.mjs';
import { isTooDeep, MAX_OUTPUT_NAMES } from '../../kit/output-size.mjs';
import { replaceInexactNumbers } from '../../kit/parse-json';
import { scanJson } from '../../kit/scan-json';
import { defineSkill, perCall } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { createScratchFile } from '../sdk/scratch-files';
import type { CallFiles, SavedAsset } from '../sdk/skill-context';
import { InputError } from '../sdk/skill-error';
import { addressInput } from './address';
import { charsetField } from './charset-field';

/** A twentieth of a cent. */
const PRICE_MICROUSD = 500n;
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Parsing more would block the event loop, and is too much for an agent. */
const MAX_JSON_BYTES = 128 * 1024;
/** Deeper documents, or with more different field names, are returned only as text. */
const MAX_JSON_DEPTH = 500;
/** Leaves room for the names of the headers. */
const MAX_JSON_NAMES = MAX_OUTPUT_NAMES - 200;
const MAX_HEADERS = 20;
const MAX_HEADER_CHARS = 1_000;
const TIMEOUT_MS = 60_000;
const TEXT = /^text\/|[/+](json|xml|javascript|ecmascript|yaml|x-ndjson|x-www-form-urlencoded)\b|^$/;
/** Headers that callers cannot set: routing, framing, connection and cookies. */
const FORBIDDEN =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*|cookie2?|via|x-forwarded-.*|forwarded)$/i;

const input = z.object({
  url: addressInput('URL to fetch. At most 1 MiB of text, or 20 MiB of anything else.'),
  method: z
    .enum(['GET', 'HEAD'])
    .default('GET')
    .describe('GET (the default) or HEAD for status and headers only.'),
  headers: z
    .record(
      z.string().regex(/^[A-Za-z0-9-]{1,100}$/),
      z
        .string()
        .max(MAX_HEADER_CHARS)
        .regex(/^[\t\x20-\x7e]*$/),
    )
    .default({})
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `Pass at most ${MAX_HEADERS} headers`)
    .refine(
      (headers) => !Object.keys(headers).some((name) => FORBIDDEN.test(name)),
      'One of these headers cannot be set by callers',
    )
    .describe('Request headers, such as Accept. A redirect to another origin does not carry them.'),
});

const output = z.object({
  url: z.string().describe('URL after redirects.'),
  status: z.int().describe('HTTP status, such as 200 or 404.'),
  ok: z.boolean().describe('Whether the status is 2xx.'),
  headers: z.record(z.string(), z.string()).describe('Response headers, in lower case.'),
  content_type: z.string().describe('Media type from the server; empty if it sends none.'),
  size_bytes: z.int().describe('Size of the decompressed body in bytes.'),
  text: z.string().nullable().describe('The body if it is text, otherwise null.'),
  json: z.unknown().describe('The parsed body if it is JSON of at most 128 KiB, otherwise null.'),
  asset: assetOutput.nullable().describe('The body as a file if it is not text, otherwise null.'),
  charset: charsetField,
});

export const fetchSkill = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'fetch',
  displayName: 'Fetch an address',
  keywords:
    'download http https request get curl call api rest endpoint url json response status code headers',
  description:
    'Makes an HTTP GET or HEAD request and returns the raw answer: status, headers and body. Text and JSON come as they are, binary content is kept as a file (asset). For an API, a JSON or XML document, a CSV, a raw HTML source, or a download.',
  input,
  output,
  returns: 'Status, headers and body: text, parsed JSON or an asset.',
  examples: [
    { description: 'The raw HTML of a page', input: { url: 'https://example.com/' } },
    { description: 'Only status and headers', input: { url: 'https://example.com/', method: 'HEAD' } },
    {
      description: 'A JSON document',
      input: { url: 'https://example.com/data.json', headers: { Accept: 'application/json' } },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run({ input: { url, method, headers }, fetch, files, signal }) {
    const response = await fetch(url, {
      method,
      headers,
      signal,
      maxBytes: MAX_FILE_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    const contentType = response.headers.get('content-type')?.trim() ?? '';
    const summary = {
      url: response.url || url,
      status: response.status,
      ok: response.ok,
      headers: Object.fromEntries(response.headers),
      content_type: contentType,
    };
    if (response.body === null || method === 'HEAD')
      return {
        output: { ...summary, size_bytes: 0, text: method === 'HEAD' ? null : '', json: null, asset: null },
      };
    if (!TEXT.test((contentType.split(';')[0] ?? '').toLowerCase())) {
      const asset = await saveBody(response, files, contentType);
      return { output: { ...summary, size_bytes: asset.size_bytes, text: null, json: null, asset } };
    }
    const bytes = await readText(response.body);
    const { text, charset } = await decodeText(bytes, contentType);
    return {
      output: {
        ...summary,
        size_bytes: bytes.byteLength,
        text,
        json: await parseJson(text, contentType),
        asset: null,
        charset,
      },
    };
  },
});

async function readText(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > MAX_TEXT_BYTES)
      throw new InputError(
        'The text is larger than 1 MiB. Use web-reader.read, or pass the URL to the data tool.',
      );
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function saveBody(response: Response, files: CallFiles, contentType: string): Promise<SavedAsset> {
  const path = await files.scratch();
  const file = await createScratchFile(path);
  await pipeline(Readable.fromWeb(response.body as NodeReadableStream), file);
  const name = response.url ? (new URL(response.url).pathname.split('/').pop() ?? '') : '';
  return await files.save({ path }, { filename: safeName(name) || 'download', contentType });
}

/** Returns the last part of a URL path as a filename. */
function safeName(text: string): string {
  try {
    return decodeURIComponent(text)
      .replace(/[^\p{L}\p{N}._-]+/gu, '_')
      .slice(0, 100);
  } catch {
    return '';
  }
}

async function parseJson(text: string, contentType: string): Promise<unknown> {
  if (!/json/i.test(contentType) || text.length > MAX_JSON_BYTES) return null;
  const bytes = Buffer.from(text);
  const { names, mayLoseDigits } = scanJson(bytes, MAX_JSON_NAMES);
  if (names > MAX_JSON_NAMES) return null;
  try {
    const exact = mayLoseDigits ? Buffer.from(await replaceInexactNumbers(bytes)).toString() : text;
    const json: unknown = JSON.parse(exact);
    return isTooDeep(json, MAX_JSON_DEPTH) ? null : json;
  } catch {
    return null;
  }
}
