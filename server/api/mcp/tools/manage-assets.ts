import { assetIdInput, listAssetsInput } from '../../../assets/schema';
import { strictInput } from '../../../kit/strict-input';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildResult } from '../tool-result';
import { pageInput, readPage } from './page-input';

/** The files of the key's account, by page. */
export const listAssets = defineMcpTool({
  name: 'list_assets',
  title: 'List files',
  description:
    'Files that were uploaded or that calls created, newest first, in pages. Tools take their asset_id; asset://{asset_id} has the content.',
  input: strictInput({
    q: listAssetsInput.shape.q,
    kind: listAssetsInput.shape.kind,
    tool: listAssetsInput.shape.tool,
    ...pageInput,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, args) {
    return buildResult(call, await invokeProcedure(call, 'assets.list', readPage(args)));
  },
});

/** Deletes a file. */
export const deleteAsset = defineMcpTool({
  name: 'delete_asset',
  title: 'Delete a file',
  description: 'Delete a file: its addresses stop working at once. This cannot be undone.',
  input: strictInput({ asset_id: assetIdInput.shape.assetId }),
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, { asset_id }) {
    return buildResult(call, await invokeProcedure(call, 'assets.remove', { assetId: asset_id }));
  },
});
