import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { getInstalled, runProgram } from './installed-program.js';

/** Each poll starts a process, which is slow on a busy machine. */
const PATIENCE_MS = 60_000;

/** Declares the tests of `tool-gateway mcp` for a client of one protocol version. */
export function describeMcp(version: string, mode: 'legacy' | { pin: string }): void {
  describe(`tool-gateway mcp, for a client of ${version}`, () => {
    async function connect(
      key = getInstalled().env.TOOL_GATEWAY_KEY,
    ): Promise<{ client: Client; log: () => string }> {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const { cli, env } = getInstalled();
      const child = { ...env };
      if (key === undefined || key === '') delete child.TOOL_GATEWAY_KEY;
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [cli.bin, 'mcp'],
        env: child,
        stderr: 'pipe',
      });
      let log = '';
      transport.stderr?.on('data', (chunk) => {
        log += chunk;
      });
      await client.connect(transport);
      return { client, log: () => log };
    }

    it('forwards discovery, a call with progress, and a failed call unchanged', async () => {
      const { client, log } = await connect();
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('call_tool');
      const progress: string[] = [];
      const call = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 0.8, log_every_seconds: 0.1 } };
      const result = await client.callTool(
        { name: 'call_tool', arguments: call },
        { onprogress: ({ message }) => progress.push(message ?? '') },
      );
      expect(result.structuredContent).toMatchObject({
        status: 'success',
        output: { slept_seconds: expect.any(Number) },
      });
      expect(progress.length).toBeGreaterThanOrEqual(3);
      const failed = await client.callTool({
        name: 'call_tool',
        arguments: { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } },
      });
      expect(failed.isError).toBe(true);
      expect(JSON.stringify(failed.content)).toContain('HANDLER_ERROR');
      await client.close();
      expect(log()).toBe('');
    });

    it('cancels the call when the client cancels its request', async () => {
      const { client } = await connect();
      const controller = new AbortController();
      const call = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60, log_every_seconds: 0.1 } };
      const running = client.callTool(
        { name: 'call_tool', arguments: call },
        { signal: controller.signal, onprogress: () => controller.abort() },
      );
      await expect(running).rejects.toThrow();
      const history = async () => {
        const { records } = JSON.parse((await runProgram(['usage', '--history', '--limit', '1'])).stdout);
        return records[0];
      };
      await expect
        .poll(history, { timeout: PATIENCE_MS })
        .toMatchObject({ skill: 'sleep', error_code: 'CANCELLED', cost_usd: 0 });
      await client.close();
    });

    it('finds tools without a key and explains how to get one when a call needs it', async () => {
      const { client, log } = await connect('');
      expect((await client.listTools()).tools.length).toBeGreaterThan(3);
      const found = await client.callTool({ name: 'search_tools', arguments: { q: 'qr code' } });
      expect(JSON.stringify(found.structuredContent ?? found.content)).toContain('codes');
      const call = { tool: 'math', skill: 'evaluate', input: { expression: '1' } };
      const refused = await client
        .callTool({ name: 'call_tool', arguments: call })
        .catch((error: Error) => error);
      expect(refused instanceof Error ? refused.message : JSON.stringify(refused)).toMatch(/get_key/);
      expect(log()).toContain('tool-gateway provision');
      await client.close();
    });
  });
}
