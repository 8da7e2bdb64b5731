import { z } from 'zod';

export const assetIdInput = z.object({
  assetId: z
    .string()
    .regex(/^asset_[0-9a-z_]{1,80}$/, 'Must be the id of an asset: asset_…')
    .describe('The id of the asset.'),
});

export const assetMetaSchema = z
  .looseObject({
    asset_id: z.string(),
    content_type: z
      .string()
      .describe('By the beginning of its bytes; where they do not say, as it was declared.'),
    size_bytes: z.int(),
    tool: z.string().nullable().describe('The tool that made it; null for an upload.'),
    skill: z.string().nullable().describe('The skill that made it; null for an upload.'),
    created_at: z.iso.datetime(),
    has_thumbnail: z.boolean(),
    filename: z.string(),
    sha256: z.string().describe('Of its bytes, in hex.'),
  })
  .meta({ id: 'AssetMeta' });

export const uploadResultSchema = z
  .looseObject({
    asset_id: z.string().describe('An input for every tool that takes a file.'),
    url: z.string().describe('Address of the file for places that need a plain one.'),
    page_url: z.string().describe('A page about the file, for people.'),
    content_type: z.string(),
    size_bytes: z.int(),
  })
  .meta({ id: 'UploadResult' });

/** What the page about an asset shows. */
export const assetPageSchema = assetMetaSchema.extend({
  url: z.string(),
  page_url: z.string(),
  download_url: z.string(),
  thumbnail_url: z.string().nullable(),
  preview: z.enum(['image', 'audio', 'video', 'pdf', 'text', 'none']),
  /** The beginning of a text; null where it is none. */
  text: z.string().nullable(),
  text_is_cut: z.boolean(),
});

export const listAssetsInput = z.object({
  limit: z.int().min(1).max(100).default(30),
  cursor: z.string().max(100).optional(),
});

export const assetListSchema = z.object({
  assets: z.array(assetMetaSchema.extend({ url: z.string(), thumbnail_url: z.string().nullable() })),
  next_cursor: z.string().nullable(),
});

export const deletedAssetSchema = z.object({ success: z.literal(true), asset_id: z.string() });

export type AssetMeta = z.infer<typeof assetMetaSchema>;
export type AssetPage = z.infer<typeof assetPageSchema>;
export type UploadResult = z.infer<typeof uploadResultSchema>;
export type AssetList = z.infer<typeof assetListSchema>;
