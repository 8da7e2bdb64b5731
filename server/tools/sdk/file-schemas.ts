import { z } from 'zod';
import { describeFileReference } from '../../kit/needs-upload';

const ASSET_ID = /^asset_[0-9a-z_]{1,80}$/;
const URL_PATTERN = /^https?:\/\/\S+$/i;
const MAX_ADDRESS_CHARS = 2048;

/**
 * A file input: the id of an asset, or a URL.
 * @param mediaType expected type, for forms: `image/*`, `application/pdf`
 */
export function fileInput(description: string, mediaType = '*/*') {
  return z
    .string()
    .trim()
    .refine((text) => ASSET_ID.test(text) || URL_PATTERN.test(text), {
      error: ({ input }) => describeFileReference(input),
    })
    .max(MAX_ADDRESS_CHARS)
    .meta({
      description: `${description} An asset id (asset_…) or an http(s) URL.`,
      format: 'uri-reference',
      contentMediaType: mediaType,
    });
}

/** An asset created by a skill. */
export const assetOutput = z.object({
  asset_id: z.string().describe('Id of the asset, to pass to other tools.'),
  url: z.string().describe('URL of the file, served with its actual media type.'),
  page_url: z.string().describe('URL of a page about the file, for people.'),
  content_type: z.string().describe('Media type.'),
  size_bytes: z.int().describe('Size in bytes.'),
  filename: z.string().describe('Name of the file.'),
});
