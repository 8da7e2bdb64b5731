import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { CliSandbox } from '../testing/cli-sandbox.js';
import { useCli } from '../testing/use-cli.js';
import { EXIT } from './exit-codes.js';
import { Interrupted } from './usage-error.js';

/** Completions are tested in the shells that this machine has. */
const isInstalled = (shell: string) => spawnSync(shell, ['--version']).error === undefined;

let sandbox: CliSandbox;
let withKey: Record<string, string>;
let poor: Record<string, string>;
useCli((fixture) => {
  ({ sandbox, withKey, poor } = fixture);
});

describe('a call', () => {
  it('prints exactly the REST response when standard output is a pipe', async () => {
    const { code, json, stderr } = await sandbox.run(['call', 'math', 'evaluate', '--expression', '6 * 7'], {
      env: withKey,
    });
    expect({ code, stderr }).toEqual({ code: EXIT.ok, stderr: '' });
    expect(json).toMatchObject({
      status: 'success',
      output: { result: '42' },
      usage: { cost: 0, currency: 'USD' },
      meta: { tool: 'math', skill: 'evaluate' },
      billed: false,
    });
  });

  it('reads its input from a pipe, a file, JSON text or fields', async () => {
    await writeFile(join(sandbox.home, 'in.json'), '{"expression":"6 * 7"}');
    for (const [args, stdin] of [
      [['--input', '-'], '{"expression":"6 * 7"}'],
      [['--input', `@${join(sandbox.home, 'in.json')}`], ''],
      [['--input', '{"expression":"6 * 7"}'], ''],
      [['--input', '{"expression":"1"}', '--expression', '6 * 7'], ''],
      [['--field', 'expression=6 * 7'], ''],
    ] as const) {
      const { json } = await sandbox.run(['call', 'math', 'evaluate', ...args], { env: withKey, stdin });
      expect(json?.output?.result).toBe('42');
    }
  });

  it('is charged once when repeated with the same idempotency key', async () => {
    const before = (await sandbox.run(['balance'], { env: withKey })).json.available_usd;
    const args = ['call', 'diagnostics', 'spend', '--amount_usd', '0.001', '--idempotency-key', 'once'];
    const answers = await Promise.all([1, 2, 3].map(() => sandbox.run(args, { env: withKey })));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect((await sandbox.run(['balance'], { env: withKey })).json.available_usd).toBeCloseTo(
      before - 0.001,
      9,
    );
  });

  it('shows progress only on standard error with --stream and returns the same result', async () => {
    const args = [
      'call',
      'diagnostics',
      'sleep',
      '--seconds',
      '0.2',
      '--log-every-seconds',
      '0.1',
      '--stream',
    ];
    const { code, json, stderr } = await sandbox.run(args, { env: withKey });
    expect(code).toBe(EXIT.ok);
    expect(json.status).toBe('success');
    const events = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    expect(json.output.log_lines).toBeGreaterThanOrEqual(1);
    expect(events).toEqual(Array.from({ length: json.output.log_lines }, () => 'progress'));
  });

  it('waits for its job; with --no-wait it exits with 8 and jobs wait prints the result', async () => {
    const args = ['call', 'diagnostics', 'background', '--seconds', '0.3', '--steps', '2'];
    expect((await sandbox.run(args, { env: withKey })).json).toMatchObject({
      status: 'success',
      output: { steps_done: 2 },
    });
    const { code, json } = await sandbox.run([...args, '--no-wait'], { env: withKey });
    expect({ code, status: json.status }).toEqual({ code: EXIT.pending, status: 'pending' });
    const ended = await sandbox.run(['jobs', 'wait', json.job_id], { env: withKey });
    expect(ended.json).toMatchObject({ status: 'success', output: { steps_done: 2 } });
    const log = await sandbox.run(['jobs', 'log', json.job_id], { env: withKey });
    expect(log.json.logs).toEqual(['step 1 of 2', 'step 2 of 2']);
  });

  it('uploads the file named by a file field and saves the created file', async () => {
    const csv = join(sandbox.home, 'in.csv');
    await writeFile(csv, 'a,b\n1,2\n');
    const { json, code, error } = await sandbox.run(
      ['call', 'data', 'convert', '--file', csv, '--to', 'json', '--download', `${sandbox.home}/out/`],
      { env: withKey },
    );
    expect({ code, error: error?.error }).toMatchObject({ code: EXIT.ok, error: undefined });
    expect(JSON.stringify(json.output)).toContain('asset_');
    const [made = ''] = await readdir(join(sandbox.home, 'out'));
    expect(JSON.parse(await readFile(join(sandbox.home, 'out', made), 'utf8'))).toEqual([{ a: 1, b: 2 }]);
  });

  it('uploads files within an object of a list, each once', async () => {
    const png = join(sandbox.home, 'in.png');
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(png, Buffer.from(pixel, 'base64'));
    const layers = JSON.stringify([{ image: png }, { image: png, width: 8 }]);
    const { json, error, stderr } = await sandbox.run(
      ['call', 'image', 'compose', '--image', 'asset_sample_logo', '--layers', layers],
      { env: withKey },
    );
    expect(error?.error).toBeUndefined();
    expect(json.status).toBe('success');
    expect(stderr.match(/Uploaded/g)).toHaveLength(1);
  });

  it('names the closest skill and subcommand', async () => {
    const skill = await sandbox.run(['info', 'text', 'stat']);
    expect(skill.error.error.message).toContain('Did you mean stats?');
    const { error } = await sandbox.run(['jobs', 'wiat', 'job_1']);
    expect(error.error.resolution_hint).toContain('Did you mean jobs wait?');
  });

  it('completes commands, flags, tools and skills, with the names of five minutes ago', async () => {
    const complete = async (...words: string[]) =>
      (await sandbox.run(['__complete', ...words])).stdout.split('\n').filter(Boolean);
    expect(await complete('ca')).toEqual(['call']);
    expect(await complete('keys', 'cr')).toEqual(['create']);
    expect(await complete('call', 'text', 'stats', '--dry')).toEqual(['--dry-run']);
    expect(await complete('call', 'te')).toEqual(['text']);
    expect(await complete('call', 'text', 's')).toEqual(['stats']);
    const offline = { env: { ...withKey, TOOL_GATEWAY_URL: 'http://127.0.0.1:9' } };
    const { stdout, stderr, code } = await sandbox.run(['__complete', 'call', 'te'], offline);
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: '', code: 0 });
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await sandbox.run(['completion', shell])).stdout).toContain('tool-gateway __complete');
    expect((await sandbox.run(['completion', 'bsh'])).error.error.resolution_hint).toContain(
      'Did you mean bash?',
    );
  });

  it('completes in bash', async () => {
    const { stdout: script } = await sandbox.run(['completion', 'bash']);
    const shell = [
      'tool-gateway() { printf "%s\\n" "$#" "$@"; }',
      script,
      'COMP_WORDS=(tool-gateway call text "") COMP_CWORD=3',
      '_tool_gateway',
      `printf '%s|' "\${COMPREPLY[@]}"`,
    ];
    const { stdout } = await promisify(execFile)('bash', ['-c', shell.join('\n')]);
    expect(stdout).toBe('4|__complete|call|text|');
  });

  it.skipIf(!isInstalled('fish'))('completes in fish, and files where there are no names', async () => {
    const { stdout: script } = await sandbox.run(['completion', 'fish']);
    await writeFile(join(sandbox.home, 'notes.txt'), '');
    const shell = [
      'function tool-gateway; test "$argv[-1]" = te; and echo te_(string join _ $argv); end',
      script,
      "complete -C 'tool-gateway call te'",
      "complete -C 'tool-gateway call notes'",
    ];
    const options = { cwd: sandbox.home, env: { ...process.env, HOME: sandbox.home } };
    const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', shell.join('\n')], options);
    expect(stdout.trim().split('\n').sort()).toEqual(['notes.txt', 'te___complete_call_te']);
  });

  it.skipIf(!isInstalled('zsh'))('prints a script that zsh parses', async () => {
    const { stdout: script } = await sandbox.run(['completion', 'zsh']);
    await promisify(execFile)('zsh', ['-f', '-c', `compdef() { :; }\n${script}`]);
  });

  it('with a file is replayed under the same idempotency key', async () => {
    const csv = join(sandbox.home, 'in.csv');
    await writeFile(csv, 'a,b\n1,2\n');
    const args = ['call', 'data', 'profile', '--file', csv, '--idempotency-key', 'with-a-file'];
    const [one, two] = [await sandbox.run(args, { env: withKey }), await sandbox.run(args, { env: withKey })];
    expect(one.json.status).toBe('success');
    expect(two.json.id).toBe(one.json.id);
  });

  it('strips control characters from text printed to a terminal', async () => {
    const message = '\u001b]0;title\u0007\u001b[2Jwiped\tand\nall \u009b31m';
    const options = { env: withKey, stdin: JSON.stringify({ message }) };
    const args = ['call', 'diagnostics', 'echo', '--input', '-', '--json'];
    expect((await sandbox.run(args, options)).json.output.message).toBe(message);
    const field = JSON.stringify(message);
    const seen = await sandbox.run(['call', 'diagnostics', 'echo', '--message', field], {
      env: withKey,
      tty: true,
    });
    expect(seen.stdout).toBe(']0;title[2Jwiped\tand\nall 31m\n');
    const wrong = await sandbox.run(['call', 'math', 'evaluate', `--\u001b[2J`, '1'], {
      env: withKey,
      tty: true,
    });
    expect(wrong.stderr).not.toContain('\u001b[2J');
  });

  it('never uploads a path from --input, only from a typed field', async () => {
    const { code, error } = await sandbox.run(
      ['call', 'data', 'convert', '--input', '{"file":"/etc/passwd","to":"json"}'],
      { env: withKey },
    );
    expect(code).toBe(EXIT.usage);
    expect(error.error).toMatchObject({ code: 'INVALID_INPUT', fields: [{ path: 'input.file' }] });
  });

  it('prints how to follow its job after Ctrl-C; the job continues and can be cancelled', async () => {
    const controller = new AbortController();
    const args = [
      'call',
      'diagnostics',
      'sleep',
      '--seconds',
      '20',
      '--log_every_seconds',
      '0.1',
      '--stream',
    ];
    const onStderr = () => controller.abort(new Interrupted());
    const left = await sandbox.run(args, { env: withKey, signal: controller.signal, onStderr });
    const { code, stdout, error } = left;
    expect({ code, stdout }).toEqual({ code: EXIT.interrupted, stdout: '' });
    expect(error.message).toContain(`jobs wait ${error.job_id}`);
    // The gateway turns the call into a job when it notices the closed connection.
    const cancel = async () => (await sandbox.run(['jobs', 'cancel', error.job_id], { env: withKey })).json;
    await expect.poll(cancel, { timeout: 10_000 }).toEqual({ cancelled: true, job_id: error.job_id });
    expect((await sandbox.run(['jobs', 'wait', error.job_id], { env: withKey })).error.error.code).toBe(
      'CANCELLED',
    );
  });

  it('prints the output on standard output and its cost on standard error at a terminal', async () => {
    const args = ['call', 'diagnostics', 'echo', '--message', 'hello'];
    const { stdout, stderr } = await sandbox.run(args, { env: { ...withKey, NO_COLOR: '1' }, tty: true });
    expect(stdout).toBe('hello\n');
    expect(stderr).toMatch(/^\$0\.00 · \$\d/);
  });

  it('prints one value of the response with --get', async () => {
    const args = ['call', 'math', 'evaluate', '--expression', '6 * 7', '--get'];
    expect((await sandbox.run([...args, 'output.result'], { env: withKey })).stdout).toBe('42\n');
    expect((await sandbox.run([...args, 'usage'], { env: withKey })).json).toMatchObject({ cost: 0 });
    expect(await sandbox.run([...args, 'output.toString'], { env: withKey })).toMatchObject({
      code: EXIT.usage,
      stdout: '',
    });
  });

  it('prints a large result completely', async () => {
    const message = 'x'.repeat(99_000);
    const { json } = await sandbox.run(['call', 'diagnostics', 'echo', '--input', '-'], {
      env: withKey,
      stdin: JSON.stringify({ message }),
    });
    expect(json.output.message).toBe(message);
  });
});

describe('files, batches, usage and reviews', () => {
  it('files are uploaded and downloaded byte for byte, without overwriting an existing file', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    const from = join(sandbox.home, 'data.bin');
    await writeFile(from, bytes);
    const { json } = await sandbox.run(['upload', from], { env: withKey });
    await mkdir(join(sandbox.home, 'down'));
    const saved = await sandbox.run(['download', json.asset_id, '-o', join(sandbox.home, 'down')]);
    expect(await readFile(saved.json.path)).toEqual(bytes);
    expect((await sandbox.run(['download', json.asset_id, '-o', from])).code).toBe(EXIT.usage);
    expect((await sandbox.run(['download', json.asset_id, '-o', from, '--force'])).code).toBe(EXIT.ok);
  });

  it('a batch exits with the code of the first failed call', async () => {
    const calls = [
      { tool: 'math', skill: 'evaluate', input: { expression: '1 + 1' } },
      { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } },
      { tool: 'diagnostics', skill: 'background', input: { seconds: 0 } },
    ];
    const { code, json } = await sandbox.run(['batch', '-'], {
      env: withKey,
      stdin: JSON.stringify({ calls }),
    });
    expect(json.results.map(({ status }: { status: string }) => status)).toEqual([
      'success',
      'error',
      'success',
    ]);
    expect(code).toBe(EXIT.toolFailed);
  });

  it('usage, reviews and dry runs are printed', async () => {
    await sandbox.run(['call', 'math', 'evaluate', '--expression', '1'], { env: withKey });
    expect((await sandbox.run(['usage', '--period', 'day'], { env: withKey })).json.calls).toBeGreaterThan(0);
    expect(
      (await sandbox.run(['usage', '--history', '--limit', '1'], { env: withKey })).json.records,
    ).toHaveLength(1);
    const review = await sandbox.run(['review', 'math', '5', 'Exact.'], { env: withKey });
    expect(review.json).toMatchObject({ tool: 'math', rating: 5 });
    const dry = await sandbox.run(['call', 'diagnostics', 'spend', '--amount_usd', '0.5', '--dry-run'], {
      env: poor,
    });
    expect(dry).toMatchObject({ code: EXIT.billing, json: { valid: false, estimated_cost_usd: 0.5 } });
  });
});
