import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startHarness } from '@/test/support/harness';

it('runs the commands of docs/machine-payment.md against a gateway', async () => {
  const own = await startHarness({
    role: 'web',
    listen: true,
    fakeStripe: true,
    env: { MACHINE_PAYMENTS_SANDBOX: '1' },
  });
  try {
    const { key } = await own.person();
    const commands = readFileSync('docs/machine-payment.md', 'utf8').match(/^npx mppx .*validate.*$/gm) ?? [];
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const local = command
        .replace('npx mppx', 'node node_modules/.bin/mppx')
        .replace('http://localhost:3000', own.baseUrl);
      const { code, output } = await shell(local, { TOOL_GATEWAY_KEY: key });
      expect([code, output]).toEqual([0, expect.stringMatching(/12 passed|13 passed|is valid/)]);
    }
  } finally {
    await own.close();
  }
});

function shell(command: string, env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
  });
}
