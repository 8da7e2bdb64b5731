import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Example } from './examples';

/** What separates the outputs of the blocks of one shell. */
const MARK = '==== next block ====';

interface RunOptions {
  /** Where the examples leave their files. */
  folder: string;
  env: Record<string, string>;
}

/** What each block wrote, in the order given. All of one guide run in one shell: a later one uses what an earlier set. */
export async function runShell(blocks: readonly Example[], { folder, env }: RunOptions): Promise<string[]> {
  const script = blocks.map(({ code }) => `${code}\nprintf '\\n%s\\n' '${MARK}'`).join('\n');
  const { output, code, error } = await run('bash', ['-e', '-o', 'pipefail', '-c', script], { folder, env });
  const parts = output.split(`\n${MARK}\n`);
  if (code !== 0)
    throw new Error(`block at line ${blocks[parts.length - 1]?.line}: ${error}\n${parts.at(-1)}`);
  return parts.slice(0, blocks.length);
}

/** Each block is a module of its own; one process loads them one after the other. */
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
  const main = blocks
    .map(({ language }, at) => `await import('./block-${at}.${language}');\nconsole.log('\\n${MARK}');`)
    .join('\n');
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

/** Runs the programs that it is given, each with names of its own. */
const PYTHON_MAIN = `
import sys
for path in sys.argv[2:]:
    exec(compile(open(path, encoding="utf-8").read(), path, "exec"), {"__name__": "__main__"})
    print("\\n" + sys.argv[1], flush=True)
`;

/** Each block is a program of its own, with nothing but the standard library; one process runs them all. */
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
