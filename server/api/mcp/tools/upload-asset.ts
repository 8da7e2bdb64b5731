import { z } from 'zod';
import { GatewayError } from '../../../core/errors/gateway-error';
import type { Upload } from '../../../core/trpc/context';
import { strictInput } from '../../../kit/strict-input';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildMeta, buildResult } from '../tool-result';

/** In base64 this is 933,336 characters: a request to /mcp has at most 1 MiB. */
export const MAX_UPLOAD_BYTES = 700_000;
const MAX_BASE64 = Math.ceil(MAX_UPLOAD_BYTES / 3) * 4;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const LARGER = 'Give a tool a larger file as a public URL, or ask the user to upload it in the dashboard.';

/** Stores a small file. */
export const uploadAsset = defineMcpTool({
  name: 'upload_asset',
  title: 'Upload a file',
  description: `Store a file of at most ${MAX_UPLOAD_BYTES} bytes, given as text or base64. Every tool that takes a file accepts its asset_id; asset://{asset_id} reads it. ${LARGER}`,
  input: strictInput({
    filename: z.string().min(1).max(255).describe('With its extension, such as sales.csv.'),
    content_type: z.string().min(1).max(200).optional().describe('Such as text/csv; detected if omitted.'),
    text: z.string().optional().describe('The content, unless in base64.'),
    base64: z.string().optional().describe('The content, unless as text.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  needsKey: true,
  async run(call, { filename, content_type, text, base64 }, asked) {
    const upload = toUpload(decodeContent(text, base64), filename, content_type);
    const reply = { headers: {} };
    const options = { reply, serverContext: asked, more: { upload: async () => upload } };
    const uploaded = await invokeProcedure(call, 'assets.upload', undefined, options);
    return buildResult(call, uploaded, buildMeta(reply));
  },
});

function decodeContent(text: string | undefined, base64: string | undefined): Buffer {
  if ((text === undefined) === (base64 === undefined))
    throw invalid('text', 'Give the content either as text or as base64.');
  if (base64 !== undefined) {
    if (base64.length > MAX_BASE64) throw tooLarge('base64');
    if (!BASE64.test(base64) || base64.length % 4 === 1)
      throw invalid('base64', 'Must be base64 (RFC 4648).');
  }
  const bytes = base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64');
  if (bytes.byteLength > MAX_UPLOAD_BYTES) throw tooLarge(base64 === undefined ? 'text' : 'base64');
  return bytes;
}

function toUpload(bytes: Buffer, filename: string, contentType: string | undefined): Upload {
  return {
    filename,
    contentType,
    maxBytes: bytes.byteLength,
    bytes: once(bytes),
    fields: async () => new Map(),
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}

function tooLarge(path: string): GatewayError {
  const message = `Must be at most ${MAX_UPLOAD_BYTES} bytes.`;
  return new GatewayError('PAYLOAD_TOO_LARGE', {
    message: `${path}: ${message}`,
    hint: LARGER,
    details: { fields: [{ path, message }] },
  });
}

function invalid(path: string, message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', {
    message: `${path}: ${message}`,
    details: { fields: [{ path, message }] },
  });
}
