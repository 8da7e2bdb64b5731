import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeMcp } from './testing/describe-mcp.js';
import { collectOutput, getInstalled, setUpProgram } from './testing/installed-program.js';

const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

setUpProgram();
describeMcp('2026-07-28', { pin: '2026-07-28' });
describeMcp('2025-11-25', 'legacy');

it('every example of the README works with the package', async () => {
  const { cli, env } = getInstalled();
  const readme = await readFile(join(cli.bin, '../../README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```(sh|js)\n(.*?)^```$/gms)].map(([, language, code = '']) => ({
    language,
    code,
  }));
  const shell = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
  const [program = ''] = blocks.filter(({ language }) => language === 'js').map(({ code }) => code);
  expect([shell.length, program.length > 0]).toEqual([5, true]);
  const script = `set -euo pipefail; cd "$HOME"\ntool-gateway() { "${process.execPath}" "${cli.bin}" "$@"; }\n${shell.join('\n')}`;
  const inShell = await collectOutput(spawn('bash', ['-c', script], { env: env as NodeJS.ProcessEnv }));
  expect(inShell, inShell.stderr).toMatchObject({ code: 0 });
  expect(inShell.stdout).toContain('"steps_done":3');
  // The package resolves its own name, like a program that has installed it.
  const file = join(cli.bin, '../../readme.mjs');
  await writeFile(file, program);
  const asProgram = await collectOutput(spawn(process.execPath, [file], { env: env as NodeJS.ProcessEnv }));
  expect(asProgram, asProgram.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(asProgram.stdout).toMatch(/^42\nstarted/);
  expect(asProgram.stdout).toContain('INVALID_INPUT');
  await rm(file);
});

it('the types of the package compile in a strict program', async () => {
  const { cli } = getInstalled();
  const folder = join(cli.bin, '../..');
  await writeFile(
    join(folder, 'typed.ts'),
    `import { type CallEvent, createClient, GatewayError, type Shape } from '@tool-gateway/cli';
const gateway = createClient({ baseUrl: 'http://a.test' });
export const result: Promise<Shape<'ToolCallResult'>> = gateway.callTool({ tool: 'a', skill: 'b', input: {} });
export const events: AsyncGenerator<CallEvent, void> = gateway.streamTool({ tool: 'a', skill: 'b', input: {} });
export const isOurs = (error: unknown): string | false => error instanceof GatewayError && error.code;
// @ts-expect-error the document has no such route
void gateway.api.GET('/v1/nothing', {});
`,
  );
  const options = [
    '--noEmit',
    '--ignoreConfig',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    'typed.ts',
  ];
  const child = spawn(process.execPath, [tsc, ...options], { cwd: folder });
  expect(await collectOutput(child)).toMatchObject({ code: 0, stdout: '' });
});
