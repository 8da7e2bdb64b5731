import { readFile } from 'node:fs/promises';
import type { TestFiles } from '@/test/support/test-files';
import { runInWorker } from '../../../platform/workers/cpu-pool';
import { openSource } from '../../data/table-file';
import { acceptOrRefuse } from '../../sdk/accept-refusal';
import { runSkill } from '../../sdk/skill-harness';
import { tool } from '../index';
import type * as worker from '../render-worker.mjs';

/** Draws charts for the tests of the chart tool. */
export function createChartCalls(files: TestFiles) {
  const call = async (skill: string, input: Record<string, unknown>) =>
    (await runSkill(tool, skill, input, { files })).output;
  const readBytes = async (output: { asset: { asset_id: string } }) =>
    await files.readBytes(output.asset.asset_id);
  const renderSvg = async (skill: string, input: Record<string, unknown>) =>
    (await readBytes(await call(skill, { ...input, format: 'svg' }))).toString();
  /** Draws a spec as `chart.render` does, but in a worker that then runs further tasks. */
  async function drawInSharedWorker(
    spec: Record<string, unknown>,
    { data, format = 'svg' }: { data?: string; format?: 'svg' | 'png' } = {},
  ): Promise<string> {
    const output = await files.scratch();
    const source = data && (await openSource({ file: data, format: 'auto' }, 'data', files));
    const drawing = { output, format, scale: 1, theme: 'light' } as const;
    const payload = { ...drawing, spec, ...(source ? { data: source } : {}) };
    const { signal } = new AbortController();
    const module = 'server/tools/chart/render-worker.mjs';
    acceptOrRefuse(await runInWorker<typeof worker.renderLast>(module, 'renderLast', payload, { signal }));
    return await readFile(output, 'utf8');
  }
  return { call, readBytes, renderSvg, drawInSharedWorker };
}
