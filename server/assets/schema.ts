import { z } from 'zod';
import { queryInteger } from '../kit/query-integer';
import { MAX_DELETED_ASSETS, MAX_QUERY_LENGTH } from './limits';

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
      .describe('Detected from the first bytes; if they are inconclusive, as declared.'),
    size_bytes: z.int(),
    tool: z.string().nullable().describe('The tool that made it; null for an upload.'),
    skill: z.string().nullable().describe('The skill that made it; null for an upload.'),
    created_at: z.iso.datetime(),
    has_thumbnail: z.boolean(),
    filename: z.string(),
    sha256: z.string().describe('Hash of the bytes, hexadecimal.'),
  })
  .meta({ id: 'AssetMeta' });

export const uploadResultSchema = z
  .looseObject({
    asset_id: z.string().describe('An input for every tool that takes a file.'),
    url: z.string().describe('Plain URL of the file, with its true content type.'),
    page_url: z.string().describe('A page about the file, for people.'),
    content_type: z.string(),
    size_bytes: z.int(),
  })
  .meta({ id: 'UploadResult' });

/** Data of the page of an asset. */
export const assetPageSchema = assetMetaSchema.extend({
  url: z.string(),
  page_url: z.string(),
  download_url: z.string(),
  thumbnail_url: z.string().nullable(),
  preview: z.enum(['image', 'audio', 'video', 'pdf', 'text', 'none']),
  /** The first part of a text; null for other files. */
  text: z.string().nullable(),
  text_is_cut: z.boolean(),
});

export const ASSET_KINDS = ['image', 'audio', 'video', 'pdf', 'text', 'other'] as const;
const assetKindSchema = z.enum(ASSET_KINDS);

export const listAssetsInput = z.object({
  limit: queryInteger({ min: 1, max: 500, fallback: 50, about: 'At most this many.' }),
  cursor: z.string().max(140).describe('next_cursor from the previous page.').optional(),
  q: z.string().trim().max(MAX_QUERY_LENGTH).describe('Part of the file name.').optional(),
  kind: assetKindSchema.describe('Only files of this kind.').optional(),
  tool: z.string().max(64).describe('Only files that this tool made; `upload` means none.').optional(),
  sort: z.enum(['newest', 'largest']).describe('The order of the files.').default('newest'),
});

/** A file in the list of its owner. */
export const listedAssetSchema = assetMetaSchema
  .extend({
    url: z.string().describe('Plain URL of the file, with its true content type.'),
    page_url: z.string().describe('A page about the file, for people.'),
    thumbnail_url: z.string().nullable(),
    kind: assetKindSchema,
    expires_at: z.iso.datetime().describe('When the file is deleted.'),
  })
  .meta({ id: 'ListedAsset' });

export const assetListSchema = z
  .looseObject({ assets: z.array(listedAssetSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'AssetList' });

/** Summary above the list: counts, quota and possible uses. */
export const assetOverviewSchema = z.object({
  used_bytes: z.int(),
  quota_bytes: z.int(),
  retention_days: z.int(),
  upload_limit_bytes: z.int(),
  count: z.int(),
  kinds: z.array(z.object({ kind: assetKindSchema, count: z.int() })),
  /** By number of files, descending; null stands for uploads. */
  tools: z.array(z.object({ tool: z.string().nullable(), count: z.int() })),
  /** Skills with a file input. */
  uses: z.array(
    z.object({
      tool: z.string(),
      skill: z.string(),
      name: z.string(),
      field: z.string(),
      media_type: z.string(),
    }),
  ),
});

export const deletedAssetSchema = z
  .object({ success: z.literal(true), asset_id: z.string() })
  .meta({ id: 'DeletedAsset' });

export const assetIdsInput = z.object({
  assetIds: z.array(assetIdInput.shape.assetId).min(1).max(MAX_DELETED_ASSETS),
});

/** The deleted files; ids that do not belong to the account are left out. */
export const deletedAssetsSchema = z.object({ success: z.literal(true), asset_ids: z.array(z.string()) });

export type AssetMeta = z.infer<typeof assetMetaSchema>;
export type AssetPage = z.infer<typeof assetPageSchema>;
export type UploadResult = z.infer<typeof uploadResultSchema>;
export type AssetList = z.infer<typeof assetListSchema>;
export type AssetKind = z.infer<typeof assetKindSchema>;
export type ListedAsset = z.infer<typeof listedAssetSchema>;
export type AssetOverview = z.infer<typeof assetOverviewSchema>;
export type AssetFilter = Partial<Omit<z.infer<typeof listAssetsInput>, 'limit' | 'cursor'>>;
