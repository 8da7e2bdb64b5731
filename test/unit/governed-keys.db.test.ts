import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXIT } from '@/clients/cli/src/cli/exit-codes';
import { createCliSandbox } from '@/clients/cli/src/testing/cli-sandbox';
import { type Harness, startHarness } from '../support/harness';
import { connectMcp } from '../support/mcp-client';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ listen: true });
});
afterAll(() => harness.close());

const echo = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
const spend = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.4 } };

it('a key is governed, used and rotated over the command line, REST and MCP', async () => {
  const owner = await harness.person(2_000_000n);
  const sandbox = await createCliSandbox({
    TOOL_GATEWAY_URL: harness.baseUrl,
    TOOL_GATEWAY_KEY: owner.key,
  });
  const run = async (...args: string[]) => (await sandbox.run([...args, '--json'])).json;
  const rest = async (key: string, json: object) =>
    (await harness.request('POST', '/v1/tools/call', { key, json })).body;
  try {
    const made = await run(
      ...['keys', 'create', '--name', 'governed', '--expires-in', '30d', '--tag', 'nightly'],
      ...['--allow-tool', 'diagnostics.spend', '--allow-ip', '127.0.0.0/8', '--spend-limit', '0.5/day'],
      ...['--rate-minute', '9'],
    );
    expect(made).toMatchObject({
      allowed_tools: ['diagnostics.spend'],
      allowed_ips: ['127.0.0.0/8'],
      spend_limit: { amount_usd: 0.5, period: 'day', spent_usd: 0 },
      rate_limits: { per_minute: 9, per_hour: null, concurrent: null },
      tags: ['nightly'],
    });

    // The same refusals on every channel.
    const mcp = await connectMcp(harness.baseUrl, '2026-07-28', made.secret);
    const env = { TOOL_GATEWAY_KEY: made.secret };
    expect((await rest(made.secret, spend)).status).toBe('success');
    expect((await rest(made.secret, echo)).error.code).toBe('TOOL_NOT_ALLOWED');
    const refused = await mcp.callTool('call_tool', echo);
    expect(refused.structuredContent.error.code).toBe('TOOL_NOT_ALLOWED');
    const over = await mcp.callTool('call_tool', spend);
    expect(over.structuredContent.error).toMatchObject({ code: 'SPENDING_LIMIT_EXCEEDED', limit: 'key' });
    const shown = (await mcp.callTool('get_account', {})).structuredContent;
    expect(shown.key).toMatchObject({ id: made.id, spend_limit: { spent_usd: 0.4 }, tags: ['nightly'] });
    const typed = await sandbox.run(['call', 'diagnostics', 'echo', '--message', 'hi', '--no-retry'], {
      env,
    });
    expect([typed.code, typed.error.error.code]).toEqual([EXIT.auth, 'TOOL_NOT_ALLOWED']);

    // A change holds for the next call, and the rotated secret for the grace.
    const changed = await run('keys', 'update', made.id, '--remove', 'tools', '--spend-limit', '1/day');
    expect(changed).toMatchObject({ allowed_tools: null, spend_limit: { amount_usd: 1, spent_usd: 0.4 } });
    expect((await mcp.callTool('call_tool', echo)).isError).not.toBe(true);
    const rotated = await run('keys', 'rotate', made.id, '--grace', '1h');
    expect(rotated.id).toBe(made.id);
    expect((await rest(made.secret, spend)).status).toBe('success');
    expect((await rest(rotated.secret, echo)).status).toBe('success');
    const usage = await run('usage', '--tag', 'nightly', '--period', 'day');
    expect(usage).toMatchObject({ calls: 4, cost_usd: 0.8 });
    await run('keys', 'rotate', made.id);
    expect((await rest(made.secret, echo)).error.code).toBe('AUTH_FAILED');
    expect((await sandbox.run(['balance'], { env })).code).toBe(EXIT.auth);
    await expect(mcp.callTool('call_tool', echo)).rejects.toThrow();
    await mcp.close();

    const wrong = await sandbox.run(['keys', 'update', made.id, '--spend-limit', '5']);
    expect([wrong.code, wrong.error.error.code]).toEqual([EXIT.usage, 'USAGE']);
  } finally {
    await sandbox.remove();
  }
});
