import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isObject } from './json-rpc';

/** Converts a zod object to the input schema of a listed tool: draft 2020-12, no references. */
export function toJsonSchema(schema: z.ZodObject): Tool['inputSchema'] {
  const { $schema, $defs, id, example, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
  }) as Record<string, unknown>;
  const defs = ($defs ?? {}) as Record<string, unknown>;
  return { ...(inline(json, defs) as object), type: 'object' };
}

/** Replaces references by their definitions: models read a schema from top to bottom. */
function inline(node: unknown, defs: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((item) => inline(item, defs));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...rest } = node as Record<string, unknown>;
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  const { id, ...named } = (name === undefined ? {} : defs[name]) as Record<string, unknown>;
  const merged = { ...named, ...rest };
  return Object.fromEntries(
    Object.entries(merged)
      .filter(([key, value]) => !isRedundant(key, value, merged))
      .map(([key, value]) => [key, inline(value, defs)]),
  );
}

/**
 * Whether a keyword does not help a model to write arguments. Every listing would carry it, and
 * models pay per token; the gateway checks texts itself.
 */
function isRedundant(key: string, value: unknown, siblings: Record<string, unknown>): boolean {
  switch (key) {
    case 'additionalProperties':
      return isObject(value) && Object.keys(value).length === 0;
    case 'propertyNames':
      return isObject(value) && value.type === 'string' && Object.keys(value).length === 1;
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER;
    case 'minLength':
    case 'maxLength':
    case 'pattern':
    case 'example':
      return typeof siblings.type === 'string';
    default:
      return false;
  }
}
