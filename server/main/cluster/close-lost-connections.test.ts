import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./close-lost-connections.fixture.mjs', import.meta.url));
const run = async (...args: string[]) =>
  (await promisify(execFile)(process.execPath, [PROGRAM, ...args])).stdout;

it('closes the connection that was handed to a web process when it died', async () => {
  // Control: Node alone forgets it.
  expect(await run('1000', 'without')).toBe('waits');
  expect(await run('60000')).toBe('closed');
});
