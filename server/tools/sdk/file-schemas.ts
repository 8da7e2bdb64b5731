import { z } from 'zod';

const ASSET_ID = /^asset_[0-9a-z_]{1,80}$/;
const ADDRESS = /^https?:\/\/\S+$/i;
const MAX_ADDRESS_CHARS = 2048;

/**
 * A file input: the id of an asset, or an address.
 * @param mediaType what it should be, for forms: `image/*`, `application/pdf`
 */
export function fileInput(description: string, mediaType = '*/*') {
  return z
    .string()
    .trim()
    .max(MAX_ADDRESS_CHARS)
    .refine((text) => ASSET_ID.test(text) || ADDRESS.test(text), 'Must be an asset id or an http(s) address')
    .meta({
      description: `${description} An asset id (asset_…) or an http(s) address.`,
      format: 'uri-reference',
      contentMediaType: mediaType,
    });
}

/** An asset that a skill made. */
export const assetOutput = z.object({
  asset_id: z.string().describe('Id of the asset: an input for other tools.'),
  url: z.string().describe('Address of the file, with its true type.'),
  page_url: z.string().describe('A page about the file, for people.'),
  content_type: z.string().describe('Media type.'),
  size_bytes: z.int().describe('Size in bytes.'),
  filename: z.string().describe('Name of the file.'),
});
