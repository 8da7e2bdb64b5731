import { buildInstructions } from './instructions';
import { useTools } from './prompts';
import { assetResources } from './resources/asset-resources';
import { toolResources } from './resources/tool-resources';
import type { McpSurface } from './surface';
import { callTool } from './tools/call-tool';
import { getTool, searchTools } from './tools/find-tools';
import { cancelJob, getJob, listJobs } from './tools/follow-jobs';
import { getKey } from './tools/get-key';
import { deleteAsset, listAssets } from './tools/manage-assets';
import { getAccount, getBalance, getReceipt, getUsage } from './tools/read-account';
import { reviewTool } from './tools/review-tool';
import { uploadAsset } from './tools/upload-asset';
import { getWebhookSecret } from './tools/webhook-secret';

/** What the gateway offers over MCP: a few tools that find and call all the others. */
export const gatewaySurface: McpSurface = {
  tools: [
    searchTools,
    getTool,
    callTool,
    getKey,
    getJob,
    listJobs,
    cancelJob,
    getWebhookSecret,
    getAccount,
    getBalance,
    getUsage,
    getReceipt,
    uploadAsset,
    listAssets,
    deleteAsset,
    reviewTool,
  ],
  resources: [assetResources, toolResources],
  prompts: [useTools],
  instructions: buildInstructions,
};
