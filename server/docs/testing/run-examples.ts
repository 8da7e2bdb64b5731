import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Example } from './examples';

/** Separates the outputs of the blocks in one shell. */
const MARK = '==== next block ====';

interface RunOptions {
  /** Working directory of the examples. */
  folder: string;
  env: Record<string, string>;
}

/**
 * Returns the output of each block. The blocks of a guide share one shell, so later ones can use
 * variables of earlier ones.
 */
export async function runShell(blocks: readonly Example[], { folder, env }: RunOptions): Promise<string[]> {
  const script = blocks.map(({ code }) => `${code}\nprintf '\\n%s\\n' '${MARK}'`).join('\n');
  const { output, code, error } = await run('bash', ['-e', '-o', 'pipefail', '-c', script], { folder, env });
  const parts = output.split(`\n${MARK}\n`);
  if (code !== 0)
    throw new Error(`block at line ${blocks[parts.length - 1]?.line}: ${error}\n${parts.at(-1)}`);
  return parts.slice(0, blocks.length);
}

/** Runs each block as its own module, in one process: the next starts when its work has ended. */
export async function runTypescript(
  blocks: readonly Example[],
  { folder, env }: RunOptions,
): Promise<string[]> {
  if (blocks.length === 0) return [];
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await Promise.all(
    blocks.map(({ code, language }, at) =>
      writeFile(join(folder, `block-${at}.${language}`), `${code}\nexport {};\n`),
    ),
  );
  const files = blocks.map(({ language }, at) => `./block-${at}.${language}`);
  const main = `const files = ${JSON.stringify(files)};
process.on('beforeExit', () => {
  console.log('\\n${MARK}');
  if (files.length > 0) void import(files.shift());
});
await import(files.shift());
`;
  await writeFile(join(folder, 'main.mjs'), main);
  const { output, code, error } = await run(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), 'main.mjs'],
    { folder, env },
  );
  const parts = output.split(`\n${MARK}\n`);
  if (code !== 0) throw new Error(`block at line ${blocks[parts.length - 1]?.line}: ${error}`);
  return parts.slice(0, blocks.length);
}

/** Runs the given programs, each in its own namespace. */
const PYTHON_MAIN = `
import sys
for path in sys.argv[2:]:
    exec(compile(open(path, encoding="utf-8").read(), path, "exec"), {"__name__": "__main__"})
    print("\\n" + sys.argv[1], flush=True)
`;

/** Runs each block as its own program with the standard library only; one process runs them all. */
export async function runPython(blocks: readonly Example[], { folder, env }: RunOptions): Promise<string[]> {
  if (blocks.length === 0) return [];
  const files = blocks.map((_, at) => join(folder, `block-${at}.py`));
  await Promise.all(blocks.map(({ code }, at) => writeFile(files[at] ?? '', code)));
  const args = ['-I', '-c', PYTHON_MAIN, MARK, ...files];
  const { output, code, error } = await run('python3', args, { folder, env });
  const parts = output.split(`\n${MARK}\n`);
  if (code !== 0) throw new Error(`block at line ${blocks[parts.length - 1]?.line}: ${error}`);
  return parts.slice(0, blocks.length);
}

function run(
  command: string,
  args: string[],
  { folder, env }: RunOptions,
): Promise<{ output: string; error: string; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { NODE_ENV: 'test', PATH: process.env.PATH, HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill());
    let [output, error] = ['', ''];
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      error += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ output, error, code }));
  });
}
