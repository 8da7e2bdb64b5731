import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./last-resort.fixture.mjs', import.meta.url));

async function run(...ways: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...ways], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let log = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const lines = log.trim().split('\n');
  return { code, said, events: lines.map((line) => JSON.parse(line).message), log };
}

it('logs a rejection, a broken stream and a wrong message of a child as a line each, and the process survives @F15', async () => {
  const { code, said, events, log } = await run('rejection', 'broken stream', 'wrong message of a child');
  const survived = 'process.uncaught_exception_survived';
  expect({ code, said }).toEqual({ code: 0, said: 'lives on' });
  expect(events.sort()).toEqual([survived, survived, 'process.unhandled_rejection']);
  expect(log).not.toContain('tg_live_0123');
});

it.each(['exception', 'odd error', 'no error'])(
  'logs an uncaught %s as one line without secrets, and the process exits with an error @F15',
  async (what) => {
    const { code, said, events, log } = await run(what);
    expect({ code, said, events }).toEqual({ code: 1, said: '', events: ['process.uncaught_exception'] });
    expect(log).not.toContain('tg_live_0123');
  },
);
