import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { GatewayClient, Shape } from '../client.js';
import type { FieldArgument } from './command.js';
import { type JsonSchema, resolveReferences, takesFile } from './json-schema.js';
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

/**
 * Uploads the files named by typed file fields and replaces the paths with asset ids. `--input` is
 * left unchanged: an untrusted document must not choose which local files are uploaded.
 */
export async function uploadFileFields(
  session: Session,
  client: GatewayClient,
  schema: JsonSchema,
  { fields, input, idempotencyKey }: FileFields,
): Promise<void> {
  const typed = new Set(fields.map(({ name }) => name.replaceAll('-', '_')));
  const sent = new Map<string, string>();
  const send = async (value: unknown): Promise<unknown> => {
    if (typeof value !== 'string' || SENT_UNCHANGED.test(value)) return value;
    const known = sent.get(value);
    if (known !== undefined) return known;
    const upload = { idempotencyKey: `${idempotencyKey.slice(0, MAX_KEY_CHARS)}-file-${sent.size + 1}` };
    const { asset_id: id, size_bytes: size } = await uploadFile(client, value, upload);
    session.output.progress(`Uploaded ${value} (${size} bytes) as ${id}.`, { asset_id: id, path: value });
    sent.set(value, id);
    return id;
  };
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!typed.has(name) || !Object.hasOwn(input, name)) continue;
    const value = input[name];
    if (takesFile(field, schema)) input[name] = await send(value);
    else if (Array.isArray(value) && takesFile(resolveReferences(field, schema).items ?? {}, schema)) {
      const list: unknown[] = [];
      for (const item of value) list.push(await send(item));
      input[name] = list;
    }
  }
}
