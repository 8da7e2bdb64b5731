import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp, type McpClient } from '@/test/support/mcp-client';
import { createPricedTool } from '@/test/support/priced-tool';
import { type CliSandbox, createCliSandbox } from '../testing/cli-sandbox.js';
import { EXIT } from './exit-codes.js';

/** The price of a number of units. */
const usd = (units: number) => (100 * units) / 1e6;
const INPUT = { units: 3 };
const CALL = { tool: 'priced', skill: 'regular', input: INPUT };
const ARGS = ['call', 'priced', 'regular', '--units', '3'];

const priced = createPricedTool();
let gateway: Harness;
let key: string;
let mcp: McpClient;
let sandbox: CliSandbox;
beforeAll(async () => {
  gateway = await startHarness({ listen: true, tools: [priced.tool] });
  ({ key } = await gateway.person(1_000_000n));
  mcp = await connectMcp(gateway.baseUrl, '2025-11-25', key);
  sandbox = await createCliSandbox({ TOOL_GATEWAY_URL: gateway.baseUrl, TOOL_GATEWAY_KEY: key });
});
afterAll(async () => {
  await mcp?.close();
  await sandbox?.remove();
  await gateway?.close();
});

const rest = async (extra: object) =>
  (await gateway.request('POST', '/v1/tools/call', { key, json: { ...CALL, ...extra } })).body;
const overMcp = async (extra: object) =>
  (await mcp.callTool('call_tool', { ...CALL, ...extra })).structuredContent;

it('a limit refuses a call in the same way over REST, MCP and the command line', async () => {
  priced.setFee(100n);
  const before = priced.runs();
  const refusal = {
    code: 'COST_LIMIT_EXCEEDED',
    quote: { max_usd: usd(3) },
    cost_fields: ['units'],
    billed: false,
  };
  const max = usd(2);
  expect((await rest({ max_cost_usd: max })).error).toMatchObject(refusal);
  expect((await overMcp({ max_cost_usd: max })).error).toMatchObject(refusal);
  const { code, error } = await sandbox.run([...ARGS, '--max-cost', String(max)]);
  expect(code).toBe(EXIT.billing);
  expect(error.error).toMatchObject(refusal);
  expect(priced.runs()).toBe(before);
  const free = await sandbox.run([...ARGS, '--max-cost', '-1']);
  expect(free).toMatchObject({ code: EXIT.usage });
});

it('a quote of one channel is charged at its price by the others after a raise', async () => {
  priced.setFee(100n);
  const quotes = [
    (await rest({ dry_run: true })).quote.id,
    (await overMcp({ dry_run: true })).quote.id,
    (await sandbox.run([...ARGS, '--dry-run', '--get', 'quote.id'])).stdout.trim(),
  ];
  const shown = await sandbox.run([...ARGS, '--dry-run'], { tty: true });
  expect(shown.stdout).toMatch(/To keep this price until 20.*: --quote quote_/);
  priced.setFee(700n);
  for (const quote_id of quotes) {
    const usage = { cost: usd(3) };
    expect(await rest({ quote_id, max_cost_usd: usd(3) })).toMatchObject({ usage });
    expect(await overMcp({ quote_id })).toMatchObject({ usage });
    const args = [...ARGS, '--quote', quote_id, '--max-cost', '0.0003'];
    expect(await sandbox.run(args)).toMatchObject({ code: EXIT.ok, json: { usage } });
  }
  expect(await rest({})).toMatchObject({ usage: { cost: usd(21) } });
});

it('a batch of the command line has a limit for all its calls', async () => {
  priced.setFee(100n);
  const file = join(sandbox.home, 'batch.json');
  await writeFile(file, JSON.stringify([CALL, { ...CALL, max_cost_usd: usd(3) }]));
  const refused = await sandbox.run(['batch', file, '--max-cost', '0.0005']);
  expect(refused.code).toBe(EXIT.billing);
  expect(refused.error.error).toMatchObject({
    code: 'COST_LIMIT_EXCEEDED',
    quote: { max_usd: usd(6) },
  });
  const { code, json } = await sandbox.run(['batch', file, '--max-cost', '0.0006']);
  expect(code).toBe(EXIT.ok);
  expect(json.results.map(({ usage }: { usage: { cost: number } }) => usage.cost)).toEqual([usd(3), usd(3)]);
});
