import { z } from 'zod';
import {
  accountProcedure,
  keyProcedure,
  openProcedure,
  router,
  sessionProcedure,
} from '../core/trpc/procedures';
import { deleteAsset } from './delete-asset';
import { deleteAssets } from './delete-assets';
import { getAssetPage } from './get-asset-page';
import { getOverview } from './get-overview';
import { listAssets } from './list-assets';
import { downloadAsset, getAssetMeta } from './read-asset';
import {
  assetIdInput,
  assetIdsInput,
  assetListSchema,
  assetMetaSchema,
  assetOverviewSchema,
  assetPageSchema,
  deletedAssetSchema,
  deletedAssetsSchema,
  listAssetsInput,
  uploadResultSchema,
} from './schema';
import { uploadAsset } from './upload-asset';

export const assetsRouter = router({
  upload: keyProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/assets/upload',
        operationId: 'uploadAsset',
        tags: ['Assets'],
        summary: 'Upload a file',
        description:
          'One file of at most 100 MiB. Its asset_id is an input for every tool that takes a file. Files are stored for 30 days.',
        protect: true,
      },
      rest: {
        upload: true,
        idempotent: true,
        errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'CLAIM_REQUIRED', 'FORBIDDEN'],
      },
    })
    .output(uploadResultSchema)
    .mutation(({ ctx }) => uploadAsset(ctx)),

  download: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/assets/{assetId}',
        operationId: 'downloadAsset',
        tags: ['Assets'],
        summary: 'Download a file',
        description:
          'The raw bytes, always as application/octet-stream; the true type is in /meta. Anyone who knows the id can read it.',
      },
      rest: {
        download: true,
        publicAssets: true,
        errors: [
          'INVALID_INPUT',
          'ASSET_NOT_FOUND',
          'NOT_FOUND',
          'PRECONDITION_FAILED',
          'RANGE_NOT_SATISFIABLE',
          'RATE_LIMIT_EXCEEDED',
        ],
      },
    })
    .input(assetIdInput)
    // The bytes go through reply.download.
    .output(z.void())
    .query(({ ctx, input }) => downloadAsset(ctx, input.assetId)),

  meta: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/assets/{assetId}/meta',
        operationId: 'getAssetMeta',
        tags: ['Assets'],
        summary: 'Get the metadata of a file',
        description: 'Type, size, name and hash of a file, and which tool made it.',
      },
      rest: {
        publicAssets: true,
        errors: ['INVALID_INPUT', 'ASSET_NOT_FOUND', 'NOT_FOUND', 'RATE_LIMIT_EXCEEDED'],
      },
    })
    .input(assetIdInput)
    .output(assetMetaSchema)
    .query(({ ctx, input }) => getAssetMeta(ctx, input.assetId)),

  page: openProcedure
    .input(assetIdInput)
    .output(assetPageSchema)
    .query(({ ctx, input }) => getAssetPage(ctx, input.assetId)),

  list: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/assets',
        operationId: 'listAssets',
        tags: ['Assets'],
        summary: 'List files',
        description:
          'Files that the account uploaded or its calls created, newest first, a page at a time; a restricted key sees its own.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED'] },
    })
    .input(listAssetsInput)
    .output(assetListSchema)
    .query(({ ctx, input }) => listAssets(ctx.runtime, ctx.actor, input)),

  remove: accountProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/assets/{assetId}',
        operationId: 'deleteAsset',
        tags: ['Assets'],
        summary: 'Delete a file',
        description:
          'Deletes a file of the account: its addresses stop working at once. A restricted key deletes only its own. This cannot be undone.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND'] },
    })
    .input(assetIdInput)
    .output(deletedAssetSchema)
    .mutation(({ ctx, input }) => deleteAsset(ctx.runtime, ctx.actor, input.assetId)),

  removeMany: sessionProcedure
    .input(assetIdsInput)
    .output(deletedAssetsSchema)
    .mutation(({ ctx, input }) => deleteAssets(ctx.runtime, ctx.actor, input.assetIds)),

  overview: sessionProcedure
    .output(assetOverviewSchema)
    .query(({ ctx }) => getOverview(ctx.runtime, ctx.actor)),
});
