import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { GatewayClient, Shape } from '../client.js';
import { findPropertySchema, listTypedFields } from './build-input.js';
import type { FieldArgument } from './command.js';
import { type JsonSchema, listAlternatives, takesFile } from './json-schema.js';
import { toReadError } from './read-json.js';
import type { Session } from './session.js';
import { usageError } from './usage-error.js';

/** An idempotency key has at most 255 characters; this leaves room for the file number. */
const MAX_KEY_CHARS = 240;
/** Values sent unchanged; any other value of a file field is a local path. */
const SENT_UNCHANGED = /^(asset_[0-9a-z_]{1,80}$|https?:\/\/)/i;

export interface UploadOptions {
  filename?: string;
  contentType?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** Uploads a local file. @throws GatewayError USAGE when it cannot be read */
export async function uploadFile(
  client: GatewayClient,
  path: string,
  { filename = basename(path), contentType, idempotencyKey }: UploadOptions = {},
): Promise<Shape<'UploadResult'>> {
  let bytes: Blob;
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw usageError(`${path} is a folder.`, 'Upload its files one by one.');
    // A pipe or device has no size and would be uploaded as an empty file.
    if (!found.isFile())
      throw usageError(
        `${path} is a pipe or a device, not a regular file.`,
        'Write its content to a file first.',
      );
    bytes = await openAsBlob(path);
  } catch (error) {
    throw toReadError(path, error);
  }
  return await client.upload({ bytes, filename, contentType }, { idempotencyKey });
}

export interface FileFields {
  fields: readonly FieldArgument[];
  input: Record<string, unknown>;
  /** Key of the call. The uploads derive theirs from it, so that a retry names the same assets. */
  idempotencyKey: string;
}

type Send = (path: string) => Promise<string>;

/**
 * Uploads the files named by typed file fields, also within their objects and lists, and replaces
 * the paths with asset ids. `--input` is left unchanged: an untrusted document must not choose
 * which local files are uploaded.
 */
export async function uploadFileFields(
  session: Session,
  client: GatewayClient,
  schema: JsonSchema,
  { fields, input, idempotencyKey }: FileFields,
): Promise<void> {
  const sent = new Map<string, string>();
  const send: Send = async (path) => {
    if (SENT_UNCHANGED.test(path)) return path;
    const known = sent.get(path);
    if (known !== undefined) return known;
    const upload = { idempotencyKey: `${idempotencyKey.slice(0, MAX_KEY_CHARS)}-file-${sent.size + 1}` };
    const { asset_id: id, size_bytes: size } = await uploadFile(client, path, upload);
    session.output.progress(`Uploaded ${path} (${size} bytes) as ${id}.`, { asset_id: id, path });
    sent.set(path, id);
    return id;
  };
  for (const { path, field } of listTypedFields(schema, fields)) {
    const last = path.at(-1) ?? '';
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), input);
    if (isObject(holder) && Object.hasOwn(holder, last))
      holder[last] = await uploadWithin(holder[last], field, { root: schema, send });
  }
}

/** Returns the value with the files that its schema names uploaded. */
async function uploadWithin(
  value: unknown,
  schema: JsonSchema,
  how: { root: JsonSchema; send: Send },
): Promise<unknown> {
  if (typeof value === 'string') return takesFile(schema, how.root) ? await how.send(value) : value;
  const choices = listAlternatives(schema, how.root);
  if (Array.isArray(value)) {
    const items = choices.find((choice) => choice.items)?.items ?? {};
    const list: unknown[] = [];
    for (const item of value) list.push(await uploadWithin(item, items, how));
    return list;
  }
  if (!isObject(value)) return value;
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const property = choices.map((choice) => findPropertySchema(choice, name)).find(Boolean) ?? {};
    entries.push([name, await uploadWithin(inner, property, how)]);
  }
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
