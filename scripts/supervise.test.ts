import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { supervise } from './supervise.mjs';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'supervise-test-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** Runs a program that counts its starts and behaves differently in each. */
async function run(body: string, limits: Parameters<typeof supervise>[1]['limits'] = {}) {
  const said: string[] = [];
  writeFileSync(join(cwd, 'starts'), '');
  const program = `
    const { appendFileSync, readFileSync } = require('node:fs');
    appendFileSync('starts', process.env.PORT + ' ');
    const start = readFileSync('starts', 'utf8').trim().split(' ').length;
    const ready = (then) => process.send({ ready: { port: 4000 + start } }, then);
    ${body}`;
  writeFileSync(join(cwd, 'program.cjs'), program);
  const say = (line: string) => said.push(line);
  const code = await supervise(['program.cjs'], { cwd, firstWaitMs: 1, say, limits });
  return { code, said, starts: readFileSync(join(cwd, 'starts'), 'utf8').trim().split(' ') };
}

it('passes on the exit code of a clean exit, and of a failed first start', async () => {
  expect(await run('ready(() => process.exit(0))')).toMatchObject({ code: 0, said: [] });
  const failed = await run('process.exit(3)');
  expect(failed).toMatchObject({ code: 3, said: [] });
  expect(failed.starts).toHaveLength(1);
});

it.each([
  ['exits with an error', 'process.exit(1)', 'exit code 1'],
  ['is killed', "process.kill(process.pid, 'SIGKILL')", 'SIGKILL'],
])('restarts, on the same port, a program that %s after it served @F15', async (_, crash, how) => {
  const { code, said, starts } = await run(`ready(() => start < 4 ? ${crash} : process.exit(0))`);
  expect(code).toBe(0);
  expect(starts.slice(1)).toEqual(['4001', '4001', '4001']);
  expect(said[0]).toBe(`The gateway crashed (${how}): restarting.`);
  expect(said[1]).toBe(`The gateway crashed (${how}): restarting in 0.001 s.`);
});

it.each([
  ['blocks its event loop', 'for (;;);'],
  ['is stopped', "process.kill(process.pid, 'SIGSTOP')"],
])('replaces a program that served and then %s @E28', async (_, hang) => {
  const program = `ready(() => { if (start === 1) { ${hang} } else process.exit(0) })`;
  const { code, said, starts } = await run(program, { heartbeatMs: 100, missedAtStart: 100_000 });
  expect([code, starts.length]).toEqual([0, 2]);
  expect(said).toEqual([
    'The gateway does not respond any more: killing it.',
    'The gateway crashed (SIGKILL): restarting.',
  ]);
});

it('kills a program that hangs before it serves @E28', async () => {
  const hung = await run('for (;;);', { heartbeatMs: 10 });
  expect(hung).toMatchObject({ code: 137, said: ['The gateway does not respond any more: killing it.'] });
});

it('kills a program that does not end after a signal @E28', async () => {
  const program = `
    process.on('SIGTERM', () => {});
    ready(() => appendFileSync('served', 'x'));
    setInterval(() => {}, 1000)`;
  const running = run(program, { stopMs: 100 });
  await expect.poll(() => existsSync(join(cwd, 'served'))).toBe(true);
  process.emit('SIGTERM', 'SIGTERM');
  expect(await running).toMatchObject({ code: 137, said: ['The gateway does not stop: killing it.'] });
});

it('gives up with one message when restarts keep failing', async () => {
  const { code, said, starts } = await run('start === 1 ? ready(() => process.exit(1)) : process.exit(7)');
  expect(code).toBe(7);
  expect(starts).toHaveLength(6);
  expect(said.at(-1)).toBe('The gateway crashed and failed to start 5 times in a row: not restarting it.');
});

it('keeps restarting a program that serves each time before it crashes', async () => {
  const { code, starts } = await run('ready(() => process.exit(start < 8 ? 1 : 0))');
  expect([code, starts.length]).toEqual([0, 8]);
});

it('passes a signal on and exits with the exit code of the program', async () => {
  const running = run("process.on('SIGTERM', () => process.exit(9)); ready(); setInterval(() => {}, 1000)");
  await expect.poll(() => readFileSync(join(cwd, 'starts'), 'utf8')).not.toBe('');
  // The program handles signals once it has recorded its start; before, a signal would end it
  // without an exit code.
  const again = setInterval(() => process.emit('SIGTERM', 'SIGTERM'), 500);
  const { code } = await running;
  clearInterval(again);
  expect([9, 143]).toContain(code);
});

it('passes SIGHUP on to a program that reloads, and restarts it after a crash all the same', async () => {
  const running = run(`
    process.on('SIGHUP', () => process.exit(start < 3 ? 1 : 0));
    process.send({ ready: { port: 4001, reloads: true } }, () => appendFileSync('served', 'x'));
    setInterval(() => {}, 1000)`);
  // Each SIGHUP ends one start; a supervisor that stops would not begin the next.
  for (const served of ['x', 'xx', 'xxx']) {
    await expect
      .poll(() => existsSync(join(cwd, 'served')) && readFileSync(join(cwd, 'served'), 'utf8'))
      .toBe(served);
    // The message was sent before the file was written, and is received in this turn.
    await new Promise(setImmediate);
    process.emit('SIGHUP', 'SIGHUP');
  }
  const { code, starts } = await running;
  expect([code, starts.length]).toEqual([0, 3]);
});

it('stops a program whose npx is killed', async () => {
  const supervisor = new URL('supervise.mjs', import.meta.url).href;
  writeFileSync(
    join(cwd, 'program.cjs'),
    "process.on('SIGTERM', () => { require('node:fs').writeFileSync('end', 'SIGTERM'); process.exit(0); });" +
      "setInterval(() => process.send({ heartbeat: true }), 100); process.send({ ready: { port: 1 } }); console.log('up');",
  );
  writeFileSync(
    join(cwd, 'launcher.mjs'),
    `import { stopWithParent, supervise } from '${supervisor}';
    stopWithParent(20);
    process.exit(await supervise(['program.cjs'], { cwd: process.cwd() }));`,
  );
  const npx = spawn('sh', ['-c', `'${process.execPath}' launcher.mjs & wait`], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(npx.stdout, 'data');
  npx.kill('SIGKILL');
  await vi.waitFor(() => expect(readFileSync(join(cwd, 'end'), 'utf8')).toBe('SIGTERM'), { timeout: 20_000 });
});
