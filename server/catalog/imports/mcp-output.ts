import { SkillError } from '../../core/errors/skill-error';
import { attributeText } from '../../kit/attribute-text';
import { cleanLine } from '../../kit/clean-text';
import { getOwnValue } from '../../kit/own-value';
import { hasContent, unwrapBlock } from '../../platform/ports/mcp-result';
import type { McpResult } from '../../platform/ports/mcp-upstream';
import type { JsonSchema } from '../../tools/sdk/define-tool';
import type { CallFiles, SavedAsset } from '../../tools/sdk/skill-context';
import { findReason } from './find-reason';

const MAX_BLOCKS = 200;
const MAX_ERROR_CHARS = 450;
/** Linear, because no part of it can match what the one before matches. */
const BASE64 = /^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/;
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

/** The field of an output with the blocks that its structured content does not repeat. */
export const BLOCKS_FIELD = 'content_blocks';

const BLOCKS = {
  type: 'array',
  description:
    'The content blocks in order: text, resource, resource_link; image, audio and files with an asset_id; unknown with the block as the upstream sent it.',
  items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
} as const;

/** The output schema of a skill without one at the upstream. */
export const ANY_MCP_OUTPUT = {
  type: 'object',
  description:
    'The response of the upstream: its structured content if there is any, otherwise its content blocks.',
  properties: {
    text: { type: 'string', description: 'All text of the content.' },
    content: BLOCKS,
    data: { description: 'Structured content other than an object.' },
    [BLOCKS_FIELD]: {
      ...BLOCKS,
      description: `With structured content: what it does not repeat. ${BLOCKS.description}`,
    },
  },
} as const;

/** Adds the content blocks to an output schema, unless it has a field of their name. Pure. */
export function addBlocksField(output: JsonSchema): JsonSchema {
  const { properties } = output;
  if (typeof properties !== 'object' || properties === null || BLOCKS_FIELD in properties) return output;
  return {
    ...output,
    properties: { ...properties, [BLOCKS_FIELD]: ANY_MCP_OUTPUT.properties[BLOCKS_FIELD] },
  };
}

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
  const { content = [], structuredContent } = result;
  if (result.isError)
    throw new SkillError(
      attributeText('The tool reported an error', findErrorText(content, structuredContent), MAX_ERROR_CHARS),
    );
  if (!hasContent(result))
    throw new SkillError('The tool returned neither content nor structured content, which MCP requires.');
  if (isRecord(structuredContent)) {
    const more = await convertBlocks(listMore(content, structuredContent), files);
    if (more.length === 0) return structuredContent;
    let field = BLOCKS_FIELD;
    while (Object.hasOwn(structuredContent, field)) field += '_';
    return { ...structuredContent, [field]: more };
  }
  if (hasSchema)
    throw new SkillError('The tool returned no structured content, although it declares an output schema.');
  return {
    text: joinTexts(content),
    content: await convertBlocks(content, files),
    ...(structuredContent !== undefined && { data: structuredContent }),
  };
}

/** In one text or another, or in the structured content. */
function findErrorText(content: readonly Block[], structuredContent: unknown): string {
  const texts = content.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    return block.type === 'resource' && 'text' in block.resource ? [block.resource.text] : [];
  });
  const said = texts.join('\n').trim();
  if (said !== '' || structuredContent === undefined) return said;
  return findReason(structuredContent) || JSON.stringify(structuredContent);
}

/**
 * Lists the blocks that are more than the structured content. Servers repeat that as JSON text, or
 * the texts in it, for clients that do not read it.
 */
function listMore(content: readonly Block[], structured: Record<string, unknown>): Block[] {
  const repeated = new Set(
    Object.values(structured)
      .flat()
      .filter((value) => typeof value !== 'object')
      .map(String),
  );
  return content.filter((block) => {
    if (block.type !== 'text' || unwrapBlock(block)) return true;
    const text = block.text.trim();
    const isJson = /^[[{]/.test(text) && /[\]}]$/.test(text);
    return text !== '' && !isJson && !repeated.has(block.text);
  });
}

function joinTexts(content: readonly Block[]): string {
  return content
    .flatMap((block) => (block.type === 'text' && !unwrapBlock(block) ? [block.text] : []))
    .join('\n');
}

async function convertBlocks(
  content: readonly Block[],
  files: CallFiles,
): Promise<Record<string, unknown>[]> {
  if (content.length > MAX_BLOCKS)
    throw new SkillError(`The tool returned more than ${MAX_BLOCKS} blocks of content.`);
  const blocks: Record<string, unknown>[] = [];
  for (const block of content) blocks.push(await convertBlock(block, blocks.length + 1, files));
  return blocks;
}

async function convertBlock(
  block: Block,
  number: number,
  files: CallFiles,
): Promise<Record<string, unknown>> {
  const unknown = unwrapBlock(block);
  if (unknown)
    return {
      type: 'unknown',
      note: `The gateway does not know content of the type ${cleanLine(unknown.type, 64)}.`,
      block: unknown.block,
    };
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
