import { importTool } from '@/server/catalog/imports/import-tool';
import { type ImportRequest, planImport } from '@/server/catalog/imports/plan-import';
import type { Answer, Harness } from './harness';

/** Completes an import request with defaults. */
export function buildImportRequest(
  request: Pick<ImportRequest, 'name' | 'source'> & Partial<ImportRequest>,
): ImportRequest {
  const price = { feeMicrousd: 2_000n, providerCostMicrousd: 0n };
  const rest = {
    skillPrices: {},
    shown: {},
    include: [],
    exclude: [],
    rename: {},
    slot: null,
    allowPrivate: true,
  };
  return { price, ...rest, ...request };
}

/** Plans and imports a tool, like the admin CLI. */
export async function importForTest(harness: Harness, request: Parameters<typeof buildImportRequest>[0]) {
  const plan = await planImport(harness.runtime, buildImportRequest(request));
  await importTool(harness.runtime, 'operator:test', plan);
  return plan;
}

/** Calls a skill over REST. */
export async function callSkill(
  harness: Harness,
  key: string,
  target: string,
  input: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [tool, skill] = target.split('.');
  return await harness.request('POST', '/v1/tools/call', { key, json: { tool, skill, input }, headers });
}
