import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { confineNode, findConfinement } from './confinement';
import { killGroup } from './kill-group';
import { workerSandbox } from './sandboxes';

/** Counts processes of this machine with the mark among their arguments. */
function countMarked(mark: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readCommand(pid).includes(mark)).length;
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

it.runIf(process.platform === 'linux')(
  'leaves no process of a sandbox, however early it is killed',
  async () => {
    const mark = randomUUID();
    const sleeping = ['-e', 'setTimeout(() => undefined, 600_000)', mark];
    const { program, args } = confineNode(await findConfinement(), workerSandbox(), sleeping);
    for (let turn = 0; turn < 40; turn++) {
      const child = spawn(program, [...args], { detached: true, stdio: 'ignore' });
      const ended = once(child, 'exit');
      // A sandbox takes some milliseconds to build; each turn kills it at another step.
      const until = performance.now() + turn / 4;
      while (performance.now() < until);
      killGroup(child);
      await ended;
    }
    await expect.poll(() => countMarked(mark)).toBe(0);
  },
);

it('sends the signal to child processes of the program too', async () => {
  const starts = `
    const { spawn } = require('node:child_process');
    spawn(process.execPath, ['-e', 'console.log(1); setTimeout(() => undefined, 600_000)'], { stdio: 'inherit' });
    setTimeout(() => undefined, 600_000);`;
  const child = spawn(process.execPath, ['-e', starts], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const closed = once(child, 'close');
  killGroup(child, 'SIGTERM');
  // The shared pipe closes only when both have ended.
  expect(await closed).toEqual([null, 'SIGTERM']);
});
