import { isUtf8 } from 'node:buffer';
import { listAssets } from '../../../assets/list-assets';
import type { AssetMeta } from '../../../assets/schema';
import { GatewayError } from '../../../core/errors/gateway-error';
import type { Reply } from '../../../core/trpc/context';
import { invokeProcedure } from '../invoke-procedure';
import type { McpCall } from '../mcp-call';
import type { McpResources } from '../surface';

const PREFIX = 'asset://';
/** The newest files are listed; others can be read by id. */
const LISTED = 20;
const MIB = 1024 * 1024;
/** One JSON message holds the file in base64, a third larger: bigger files must be downloaded. */
const MAX_BYTES = 4 * MIB;
/** An asset's bytes never change; clients notice its removal within a minute. */
const FRESH_MS = 60_000;

/**
 * Files of uploads and results. Anyone who knows an id may read it, as on REST; the list contains
 * only files of the key's account.
 */
export const assetResources: McpResources = {
  template: {
    uriTemplate: `${PREFIX}{id}`,
    name: 'asset',
    title: 'File',
    description: `A file by its asset_id: its content up to ${MAX_BYTES / MIB} MiB, of a larger one its facts and where to download it.`,
  },

  async list({ runtime, actor }) {
    // The consent page of an application announces access to the account's files; other restricted
    // keys must not list them.
    if (!actor || (actor.restricted && !actor.application)) return [];
    const { assets } = await listAssets(runtime, actor, { limit: LISTED });
    return assets.map(({ asset_id, filename, content_type, size_bytes }) => ({
      uri: `${PREFIX}${asset_id}`,
      name: filename,
      mimeType: content_type,
      size: size_bytes,
    }));
  },

  async read(call, uri) {
    if (!uri.startsWith(PREFIX)) return null;
    const assetId = uri.slice(PREFIX.length);
    const meta = (await invokeProcedure(call, 'assets.meta', { assetId })) as AssetMeta;
    const content =
      meta.size_bytes > MAX_BYTES ? describeLargeFile(call, meta) : await readContent(call, meta);
    return { contents: [{ uri, ...content }], ttlMs: FRESH_MS, cacheScope: 'public' };
  },
};

type Content = { mimeType: string } & ({ text: string } | { blob: string });

async function readContent(
  call: McpCall,
  { asset_id: assetId, content_type: mimeType }: AssetMeta,
): Promise<Content> {
  const reply: Reply = { headers: {} };
  await invokeProcedure(call, 'assets.download', { assetId }, { reply });
  if (!reply.download) throw new GatewayError('INTERNAL');
  const chunks: Uint8Array[] = [];
  for await (const chunk of await reply.download.open()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return isText(mimeType) && isUtf8(bytes)
    ? { mimeType, text: bytes.toString('utf8') }
    : { mimeType, blob: bytes.toString('base64') };
}

function isText(mimeType: string): boolean {
  return /^(text\/|application\/(json|xml|yaml)\b)|\+(json|xml)\b/.test(mimeType);
}

function describeLargeFile({ runtime }: McpCall, meta: AssetMeta): Content {
  const download_url = `${runtime.settings.baseUrl}/v1/assets/${meta.asset_id}`;
  return { mimeType: 'application/json', text: JSON.stringify({ too_large: true, download_url, ...meta }) };
}
