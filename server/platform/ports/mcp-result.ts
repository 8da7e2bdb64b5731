import { randomUUID } from 'node:crypto';
import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/client';

/** Types of content of the MCP revisions that the SDK knows; it refuses a result with others. */
const KNOWN_TYPES = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);
/** In `_meta`; random, so that a server cannot set it. */
const MARK = `tool-gateway/${randomUUID()}`;

/** A content block whose type the SDK does not know. */
export interface UnknownBlock {
  type: string;
  block: Record<string, unknown>;
}

/**
 * Wraps content blocks of unknown types, so that the SDK accepts the result of a tool, and marks a
 * result that has content. Returns other messages as they are. Pure.
 */
export function wrapUnknownBlocks(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const { result } = message;
  const { content, structuredContent } = result;
  const isContent = Array.isArray(content) || (content === undefined && structuredContent !== undefined);
  if (!isContent) return message;
  const blocks = Array.isArray(content) ? content.map(wrapBlock) : [];
  return { ...message, result: { ...result, content: blocks, _meta: { ...result._meta, [MARK]: true } } };
}

/** Whether the server sent content, even an empty list, or structured content. */
export function hasContent(result: CallToolResult): boolean {
  return result._meta?.[MARK] === true;
}

/** Returns the block that was wrapped; null if it is one of a known type. */
export function unwrapBlock({ _meta }: CallToolResult['content'][number]): UnknownBlock | null {
  const wrapped = _meta?.[MARK];
  return isRecord(wrapped) && typeof wrapped.type === 'string'
    ? { type: wrapped.type, block: wrapped }
    : null;
}

function wrapBlock(block: unknown): unknown {
  if (!isRecord(block) || typeof block.type !== 'string' || KNOWN_TYPES.has(block.type)) return block;
  return { type: 'text', text: '', _meta: { [MARK]: block } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
