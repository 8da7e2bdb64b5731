import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAlive } from '../../server/platform/process/process-identity';
import { root } from '../system/fixtures/processes';

/** A test process that leaves a child process and a folder behind. */
const LEAVES = `
  import { reapFolderLater, startNode } from '${root}test/system/fixtures/processes.ts';
  reapFolderLater(process.argv[1]);
  const child = startNode(['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  console.log(child.pid);
  setInterval(() => undefined, 1000);
`;

it('the reaper stops the processes and removes the folders of a killed test process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reaper-'));
  await writeFile(join(folder, 'file'), '');
  const args = ['--import', 'tsx', '--input-type=module', '-e', LEAVES, folder];
  const tests = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await once(tests.stdout, 'data');
  const pid = Number(String(printed));
  expect(isAlive(pid)).toBe(true);
  tests.kill('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  await expect.poll(() => existsSync(folder)).toBe(false);
});
