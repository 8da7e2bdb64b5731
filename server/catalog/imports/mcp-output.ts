import { SkillError } from '../../core/errors/skill-error';
import { getOwnValue } from '../../kit/own-value';
import type { McpResult } from '../../platform/ports/mcp-upstream';
import type { CallFiles, SavedAsset } from '../../tools/sdk/skill-context';
import { cleanText } from './clean-text';

const MAX_BLOCKS = 200;
const MAX_ERROR_CHARS = 450;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/gzip': 'gz',
  'text/plain': 'txt',
};

/** The output schema of a skill without one at the upstream. */
export const ANY_MCP_OUTPUT = {
  type: 'object',
  description:
    'The response of the upstream: its structured content if there is any, otherwise its content blocks.',
  properties: {
    text: { type: 'string', description: 'All text of the content.' },
    content: {
      type: 'array',
      description:
        'The content blocks in order: text, resource, resource_link; image, audio and files with an asset_id.',
      items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
    },
  },
} as const;

type Block = McpResult['content'][number];

/**
 * Converts the result of an MCP tool to a skill's output. Images, audio and files become assets of
 * the caller.
 * @param hasSchema whether the upstream has declared an output schema
 * @throws SkillError if the tool reports an error or breaks its declaration
 */
export async function mcpOutput(
  result: McpResult,
  hasSchema: boolean,
  files: CallFiles,
): Promise<Record<string, unknown>> {
  const content = result.content ?? [];
  if (result.isError)
    throw new SkillError(cleanText(joinTexts(content), MAX_ERROR_CHARS) || 'The tool reported an error.');
  const { structuredContent } = result;
  if (
    typeof structuredContent === 'object' &&
    structuredContent !== null &&
    !Array.isArray(structuredContent)
  )
    return structuredContent as Record<string, unknown>;
  if (hasSchema)
    throw new SkillError('The tool returned no structured content, although it declares an output schema.');
  if (content.length > MAX_BLOCKS)
    throw new SkillError(`The tool returned more than ${MAX_BLOCKS} blocks of content.`);
  const blocks: Record<string, unknown>[] = [];
  for (const block of content) blocks.push(await convertBlock(block, blocks.length + 1, files));
  return { text: joinTexts(content), content: blocks };
}

function joinTexts(content: readonly Block[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

async function convertBlock(
  block: Block,
  number: number,
  files: CallFiles,
): Promise<Record<string, unknown>> {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return {
        type: block.type,
        ...(await saveFile(block.data, block.mimeType, `${block.type}-${number}`, files)),
      };
    case 'resource_link':
      return {
        type: 'resource_link',
        uri: block.uri,
        name: block.name,
        description: block.description,
        mimeType: block.mimeType,
      };
    case 'resource': {
      const { resource } = block;
      const { uri, mimeType } = resource;
      if ('text' in resource) return { type: 'resource', uri, mimeType, text: resource.text };
      return {
        type: 'resource',
        uri,
        ...(await saveFile(resource.blob, mimeType, getFileName(uri, number), files)),
      };
    }
    default:
      return { type: 'unknown' };
  }
}

async function saveFile(
  data: string,
  mimeType: string | undefined,
  name: string,
  files: CallFiles,
): Promise<Partial<SavedAsset>> {
  if (!BASE64.test(data)) throw new SkillError('The tool returned a file that is not base64.');
  const contentType = mimeType ?? 'application/octet-stream';
  const extension = getOwnValue(EXTENSIONS, contentType) ?? 'bin';
  const filename = /\.[a-z0-9]{1,8}$/i.test(name) ? name : `${name}.${extension}`;
  return await files.save({ bytes: Buffer.from(data, 'base64') }, { filename, contentType });
}

function getFileName(uri: string, number: number): string {
  const last = uri.split(/[/?#]/).filter(Boolean).pop() ?? '';
  return /^[\w.-]{1,80}$/.test(last) ? last : `resource-${number}`;
}
