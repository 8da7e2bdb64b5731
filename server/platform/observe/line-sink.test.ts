import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { LineSink, type WriteBytes } from './line-sink';
import { formatReadableLine } from './readable-line';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A log with scripted results of its writes. */
function brokenSink(answers: ((bytes: Buffer) => [NodeJS.ErrnoException | null, number])[]) {
  let text = '';
  const write: WriteBytes = (bytes, done) => {
    const [error, written] = answers.shift()?.(bytes) ?? [null, bytes.byteLength];
    if (!error) text += bytes.subarray(0, written);
    setImmediate(() => done(error, written));
  };
  const sink = new LineSink({ write, formatDropped: (count) => `dropped ${count}\n` });
  return { sink, text: () => text };
}

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('a log', () => {
  it('contains every line once and in order, although writes are partial', async () => {
    const { sink, text } = brokenSink([(bytes) => [null, Math.min(3, bytes.byteLength)], () => [null, 1]]);
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`);
    for (const line of lines) sink.write(line);
    await sink.flush(10_000);
    expect(text()).toBe(lines.join(''));
    expect(sink.dropped).toBe(0);
  });

  it('continues when a full disk has space again', async () => {
    const { sink, text } = brokenSink([() => [failure('ENOSPC'), 0], () => [failure('EAGAIN'), 0]]);
    sink.write('one\n');
    sink.write('two\n');
    await sink.flush(20_000);
    expect(text()).toBe('one\ntwo\n');
  });

  it('drops and counts lines that are not read, in bounded memory', async () => {
    let take: (() => void) | undefined;
    let text = '';
    const write: WriteBytes = (bytes, done) => {
      text += bytes;
      if (take) setImmediate(() => done(null, bytes.byteLength));
      else take = () => done(null, bytes.byteLength);
    };
    const sink = new LineSink({ write, formatDropped: (count) => `dropped ${count}\n` });
    const line = `${'x'.repeat(9_999)}\n`;
    for (let i = 0; i < 2_000; i++) sink.write(line);
    expect(sink.dropped).toBeGreaterThan(1_000);
    await sink.flush(50);
    take?.();
    await sink.flush(10_000);
    expect(text.length).toBeLessThan(6_000_000);
    expect(text.includes(`dropped ${sink.dropped}\n`)).toBe(true);
  });

  it('stops when its reader has closed, and flush does not wait', async () => {
    const { sink, text } = brokenSink([() => [failure('EPIPE'), 0]]);
    sink.write('one\n');
    await sink.flush(10_000);
    sink.write('two\n');
    await sink.flush(10_000);
    expect(text()).toBe('');
    expect(sink.dropped).toBe(1);
  });

  it('is complete although the process exits immediately', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-log-'));
    folders.push(folder);
    const fd = openSync(join(folder, 'log'), 'w');
    // Keeps the writing thread busy first.
    const busy = `(await import('node:crypto')).pbkdf2('a', 'b', 5_000, 64, 'sha512', () => {});`;
    const child = runChild(`${busy} log.info('first'); log.fatal('last'); process.exit(7);`, fd);
    expect(await child.exited).toBe(7);
    closeSync(fd);
    const lines = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n');
    // The thread may write its line after the process wrote the rest.
    expect(lines.map((line) => JSON.parse(line).message).sort()).toEqual(['first', 'last']);
  });

  it('neither ends a process with a closed reader nor blocks one with a stopped reader', async () => {
    // Turns blocking on for the shared pipe.
    const share = `(await import('node:child_process')).spawnSync('true', { stdio: 'inherit' });`;
    // More than a pipe holds, followed by other work.
    const flood = `for (let i = 0; i < 5000; i++) log.info('x'.repeat(500));`;
    const later = `setTimeout(() => { console.log('alive'); process.exit(0); }, 500);`;
    const children = [1, 2].map(() => runChild(share + flood + later, 'pipe'));
    children[0]?.process.stderr?.destroy();
    for (const child of children) {
      expect(await child.exited).toBe(0);
      expect(child.out()).toContain('alive');
    }
  });
});

/** Starts a process with a log like the gateway's. */
function runChild(code: string, stderr: number | 'pipe') {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const script = `
    import { tsImport } from 'tsx/esm/api';
    const { createProcessLog, surviveClosedStreams } = await tsImport('./server/platform/observe/process-log.ts', {
      parentURL: ${JSON.stringify(`file://${root}/`)}, tsconfig: ${JSON.stringify(`${root}/tsconfig.json`)} });
    surviveClosedStreams();
    const { log } = createProcessLog({ level: 'info', readable: false });
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', stderr],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  // A stopped reader: the pipe is never read.
  child.stderr?.pause();
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { process: child, exited, out: () => out };
}

it('formats a line for a terminal without control characters @D11', () => {
  const line = JSON.stringify({
    time: '2026-01-02T03:04:05.678Z',
    level: 'warn',
    message: 'tool failed\r\n\u001b[2J',
    call_id: 'call_1',
    error: { name: 'Error', message: 'a\nb' },
  });
  const shown = formatReadableLine(`${line}\n`);
  expect(shown).toMatch(/^03:04:05 warn {2}tool failed/);
  expect([...shown.trimEnd()].every((character) => character >= ' ')).toBe(true);
  expect(shown).toContain('call_id=call_1');
  expect(shown).toContain('"message":"a\\nb"');
});
