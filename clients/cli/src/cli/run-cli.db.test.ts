import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/server/testing/harness';
import { type Desk, openDesk } from '../testing/type-command.js';
import { EXIT } from './exit-codes.js';
import { Interrupted } from './usage-error.js';

const CREDIT = 1_000_000n;
const QUIET = '--no-retry';

let gateway: Harness;
let desk: Desk;
let withKey: Record<string, string>;
let poor: Record<string, string>;

beforeAll(async () => {
  gateway = await startHarness({
    listen: true,
    env: { PROVISION_PER_HOUR: '100', PROVISION_PER_DAY: '100' },
  });
  withKey = { TOOL_GATEWAY_KEY: (await gateway.person(CREDIT)).key };
  poor = { TOOL_GATEWAY_KEY: (await gateway.person()).key };
});
afterAll(() => gateway.close());
beforeEach(async () => {
  desk = await openDesk({ TOOL_GATEWAY_URL: gateway.baseUrl });
});
afterEach(() => desk.leave());

const kept = async () =>
  JSON.parse(await readFile(join(desk.home, '.config/tool-gateway/credentials.json'), 'utf8'));

describe('a call', () => {
  it('prints exactly the answer of REST, and nothing else, where standard output is a pipe', async () => {
    const { code, json, stderr } = await desk.type(['call', 'math', 'evaluate', '--expression', '6 * 7'], {
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

  it('takes its input from a pipe, a file, a text and from fields, all the same', async () => {
    await writeFile(join(desk.home, 'in.json'), '{"expression":"6 * 7"}');
    for (const [args, stdin] of [
      [['--input', '-'], '{"expression":"6 * 7"}'],
      [['--input', `@${join(desk.home, 'in.json')}`], ''],
      [['--input', '{"expression":"6 * 7"}'], ''],
      [['--input', '{"expression":"1"}', '--expression', '6 * 7'], ''],
      [['--field', 'expression=6 * 7'], ''],
    ] as const) {
      const { json } = await desk.type(['call', 'math', 'evaluate', ...args], { env: withKey, stdin });
      expect(json?.output?.result).toBe('42');
    }
  });

  it('is charged once however often it is sent with one idempotency key', async () => {
    const before = (await desk.type(['balance'], { env: withKey })).json.available_usd;
    const args = ['call', 'diagnostics', 'spend', '--amount_usd', '0.001', '--idempotency-key', 'once'];
    const answers = await Promise.all([1, 2, 3].map(() => desk.type(args, { env: withKey })));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect((await desk.type(['balance'], { env: withKey })).json.available_usd).toBeCloseTo(
      before - 0.001,
      9,
    );
  });

  it('shows progress on standard error alone with --stream, and gives the same result', async () => {
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
    const { code, json, stderr } = await desk.type(args, { env: withKey });
    expect(code).toBe(EXIT.ok);
    expect(json.status).toBe('success');
    const events = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    expect(json.output.log_lines).toBeGreaterThanOrEqual(2);
    expect(events).toEqual(Array.from({ length: json.output.log_lines }, () => 'progress'));
  });

  it('waits for a job by itself; with --no-wait it ends with 8 and jobs wait has the result', async () => {
    const args = ['call', 'diagnostics', 'background', '--seconds', '0.3', '--steps', '2'];
    expect((await desk.type(args, { env: withKey })).json).toMatchObject({
      status: 'success',
      output: { steps_done: 2 },
    });
    const { code, json } = await desk.type([...args, '--no-wait'], { env: withKey });
    expect({ code, status: json.status }).toEqual({ code: EXIT.pending, status: 'pending' });
    const ended = await desk.type(['jobs', 'wait', json.job_id], { env: withKey });
    expect(ended.json).toMatchObject({ status: 'success', output: { steps_done: 2 } });
    const log = await desk.type(['jobs', 'log', json.job_id], { env: withKey });
    expect(log.json.logs).toEqual(['step 1 of 2', 'step 2 of 2']);
  });

  it('uploads the file that a field for files names, and saves what was made', async () => {
    const csv = join(desk.home, 'in.csv');
    await writeFile(csv, 'a,b\n1,2\n');
    const { json, code, error } = await desk.type(
      ['call', 'data', 'convert', '--file', csv, '--to', 'json', '--download', `${desk.home}/out/`],
      { env: withKey },
    );
    expect({ code, error: error?.error }).toMatchObject({ code: EXIT.ok, error: undefined });
    expect(JSON.stringify(json.output)).toContain('asset_');
    const [made = ''] = await readdir(join(desk.home, 'out'));
    expect(JSON.parse(await readFile(join(desk.home, 'out', made), 'utf8'))).toEqual([{ a: 1, b: 2 }]);
  });

  it('with a file is the same call under the same idempotency key', async () => {
    const csv = join(desk.home, 'in.csv');
    await writeFile(csv, 'a,b\n1,2\n');
    const args = ['call', 'data', 'profile', '--file', csv, '--idempotency-key', 'with-a-file'];
    const [one, two] = [await desk.type(args, { env: withKey }), await desk.type(args, { env: withKey })];
    expect(one.json.status).toBe('success');
    expect(two.json.id).toBe(one.json.id);
  });

  it('cannot reach the terminal with what it says: control characters stay out', async () => {
    const message = '\u001b]0;title\u0007\u001b[2Jwiped\tand\nall \u009b31m';
    const options = { env: withKey, stdin: JSON.stringify({ message }) };
    const args = ['call', 'diagnostics', 'echo', '--input', '-', '--json'];
    expect((await desk.type(args, options)).json.output.message).toBe(message);
    const field = JSON.stringify(message);
    const seen = await desk.type(['call', 'diagnostics', 'echo', '--message', field], {
      env: withKey,
      tty: true,
    });
    expect(seen.stdout).toBe(']0;title[2Jwiped\tand\nall 31m\n');
    const wrong = await desk.type(['call', 'math', 'evaluate', `--\u001b[2J`, '1'], {
      env: withKey,
      tty: true,
    });
    expect(wrong.stderr).not.toContain('\u001b[2J');
  });

  it('never uploads a path that came with --input: only the person names files', async () => {
    const { code, error } = await desk.type(
      ['call', 'data', 'convert', '--input', '{"file":"/etc/passwd","to":"json"}'],
      { env: withKey },
    );
    expect(code).toBe(EXIT.usage);
    expect(error.error).toMatchObject({ code: 'INVALID_INPUT', fields: [{ path: 'input.file' }] });
  });

  it('left by Ctrl-C says how to follow its job, which goes on and can be cancelled', async () => {
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
    const left = await desk.type(args, { env: withKey, signal: controller.signal, onStderr });
    const { code, stdout, error } = left;
    expect({ code, stdout }).toEqual({ code: EXIT.interrupted, stdout: '' });
    expect(error.message).toContain(`jobs wait ${error.job_id}`);
    // The gateway makes a job of it when it sees that the line is gone.
    const cancel = async () => (await desk.type(['jobs', 'cancel', error.job_id], { env: withKey })).json;
    await expect.poll(cancel, { timeout: 10_000 }).toEqual({ cancelled: true, job_id: error.job_id });
    expect((await desk.type(['jobs', 'wait', error.job_id], { env: withKey })).error.error.code).toBe(
      'CANCELLED',
    );
  });

  it('says to a person what came out, and what it cost beside it', async () => {
    const args = ['call', 'diagnostics', 'echo', '--message', 'hello'];
    const { stdout, stderr } = await desk.type(args, { env: { ...withKey, NO_COLOR: '1' }, tty: true });
    expect(stdout).toBe('hello\n');
    expect(stderr).toMatch(/^\$0\.00 · \$\d/);
  });

  it('prints one value of the answer where that is wanted', async () => {
    const args = ['call', 'math', 'evaluate', '--expression', '6 * 7', '--get'];
    expect((await desk.type([...args, 'output.result'], { env: withKey })).stdout).toBe('42\n');
    expect((await desk.type([...args, 'usage'], { env: withKey })).json).toMatchObject({ cost: 0 });
    expect(await desk.type([...args, 'output.toString'], { env: withKey })).toMatchObject({
      code: EXIT.usage,
      stdout: '',
    });
  });

  it('prints a large result whole', async () => {
    const message = 'x'.repeat(99_000);
    const { json } = await desk.type(['call', 'diagnostics', 'echo', '--input', '-'], {
      env: withKey,
      stdin: JSON.stringify({ message }),
    });
    expect(json.output.message).toBe(message);
  });
});

describe('exit codes', () => {
  const cases: [string, string[], number, string, (() => Record<string, string>)?, string?][] = [
    ['input against the skill', ['call', 'math', 'evaluate', '--input', '{}'], EXIT.usage, 'INVALID_INPUT'],
    ['a field that is none', ['call', 'math', 'evaluate', '--expresion', '1'], EXIT.usage, 'USAGE'],
    ['JSON that is none', ['call', 'math', 'evaluate', '--input', '{"a":1,\n "b" 2}'], EXIT.usage, 'USAGE'],
    ['input that is no object', ['call', 'math', 'evaluate', '--input', '[1]'], EXIT.usage, 'USAGE'],
    ['a file that is not there', ['upload', '/nowhere/at-all'], EXIT.usage, 'USAGE'],
    ['an unknown flag', ['balance', '--jsn'], EXIT.usage, 'USAGE'],
    ['an unknown command', ['blance'], EXIT.usage, 'USAGE'],
    ['no key', ['balance'], EXIT.auth, 'AUTH_REQUIRED', () => ({})],
    ['a wrong key', ['balance'], EXIT.auth, 'AUTH_FAILED', () => ({ TOOL_GATEWAY_KEY: 'tg_live_wrong' })],
    [
      'no money',
      ['call', 'diagnostics', 'spend', '--amount_usd', '0.5'],
      EXIT.billing,
      'INSUFFICIENT_CREDITS',
      () => poor,
    ],
    ['an unclaimed key', ['keys', 'create'], EXIT.billing, 'CLAIM_REQUIRED', () => provisional],
    ['an unknown tool', ['call', 'nothing', 'here', '--input', '{}'], EXIT.notFound, 'TOOL_NOT_FOUND'],
    ['an unknown skill', ['call', 'math', 'nothing', '--x', '1'], EXIT.notFound, 'SKILL_NOT_FOUND'],
    ['an unknown job', ['jobs', 'get', 'job_nothing'], EXIT.notFound, 'NOT_FOUND'],
    ['an unknown file', ['download', 'asset_nothing'], EXIT.notFound, 'NOT_FOUND'],
    [
      'a tool that fails',
      ['call', 'diagnostics', 'flaky', '--mode', 'throw'],
      EXIT.toolFailed,
      'HANDLER_ERROR',
    ],
    [
      'a tool that fails midway',
      ['call', 'diagnostics', 'flaky', '--mode', 'throw', '--stream'],
      EXIT.toolFailed,
      'HANDLER_ERROR',
    ],
    [
      'a gateway that is not there',
      ['tools', '--base-url', 'http://127.0.0.1:9'],
      EXIT.unexpected,
      'UNREACHABLE',
    ],
    ['an address that is none', ['tools', '--base-url', 'gateway'], EXIT.usage, 'USAGE'],
  ];
  let provisional: Record<string, string>;

  beforeAll(async () => {
    provisional = { TOOL_GATEWAY_KEY: (await gateway.ask('POST', '/v1/auth/provision')).body.api_key };
  });

  it.each(cases)('%s', async (_, args, exit, errorCode, env = () => withKey) => {
    const { code, error, stdout } = await desk.type([...args, QUIET], { env: env() });
    expect({ code, stdout, error: error?.error?.code }).toEqual({ code: exit, stdout: '', error: errorCode });
    expect(error.error.resolution_hint.length).toBeGreaterThan(10);
    const person = await desk.type([...args, QUIET], { env: { ...env(), NO_COLOR: '1' }, tty: true });
    expect(person.code).toBe(exit);
    expect(person.stderr).toContain(`error ${error.error.message}`);
    expect(person.stderr).toContain(error.error.resolution_hint);
  });

  it('a limit that is reached', async () => {
    const { key } = await gateway.person(CREDIT);
    await gateway.ask('PUT', '/v1/billing/preferences', { key, json: { budgetLimit: 0 } });
    const args = ['call', 'diagnostics', 'spend', '--amount_usd', '0.5'];
    const { code, error } = await desk.type(args, { env: { TOOL_GATEWAY_KEY: key } });
    expect({ code, error: error.error.code }).toEqual({
      code: EXIT.rateLimited,
      error: 'SPENDING_LIMIT_EXCEEDED',
    });
  });

  it('name the place of what is no JSON, and the command that was meant', async () => {
    const bad = await desk.type(['call', 'math', 'evaluate', '--input', '{"a":1,\n "b" 2}'], {
      env: withKey,
    });
    expect(bad.error.error.message).toMatch(/line 2, column 6/);
    expect((await desk.type(['serch', 'x'])).error.error.resolution_hint).toContain('Did you mean search?');
    expect((await desk.type(['keys', 'lst'])).error.error.resolution_hint).toContain('keys list');
  });
});

describe('without a key', () => {
  it('a call makes one, keeps it for this person alone, and says who can claim it', async () => {
    const first = await desk.type(['call', 'math', 'evaluate', '--expression', '1 + 1']);
    expect(first.json.output.result).toBe('2');
    const { keys, base_url } = await kept();
    const { api_key, claim_url } = keys[gateway.baseUrl];
    expect(base_url).toBe(gateway.baseUrl);
    expect((await stat(join(desk.home, '.config/tool-gateway/credentials.json'))).mode & 0o777).toBe(0o600);
    expect(first.error).toMatchObject({ event: 'note', claim_url });
    expect(first.stdout + first.stderr).not.toContain(api_key);
    // From now on the gateway needs no name, and no second key is made.
    const second = await desk.type(['whoami'], { env: { TOOL_GATEWAY_URL: '' } });
    expect(second.json).toMatchObject({
      base_url: gateway.baseUrl,
      works: true,
      plan: 'provisional',
      claim_url,
    });
    expect(second.stdout).not.toContain(api_key);
  });

  it('provision keeps a key that works, and makes another for one that does not', async () => {
    const first = await desk.type(['provision']);
    expect(first.json).toMatchObject({ made: true, claim_url: expect.stringContaining('/claim?token=') });
    expect((await desk.type(['provision'])).json).toEqual({ ...first.json, made: false });
    const file = join(desk.home, '.config/tool-gateway/credentials.json');
    const { api_key } = (await kept()).keys[gateway.baseUrl];
    await writeFile(file, (await readFile(file, 'utf8')).replace(api_key, `${api_key.slice(0, -1)}#`));
    expect((await desk.type(['provision'])).json.made).toBe(true);
    expect((await desk.type(['balance'])).code).toBe(EXIT.ok);
  });

  it('calls that come at once make one key', async () => {
    const args = ['call', 'math', 'evaluate', '--expression', '1'];
    const answers = await Promise.all([1, 2, 3, 4].map(() => desk.type(args)));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(answers.filter(({ stderr }) => stderr.includes('Made a key'))).toHaveLength(1);
  });

  it('none is made where that was forbidden, and the way to one is named', async () => {
    for (const [args, env] of [
      [['--no-provision'], {}],
      [[], { TOOL_GATEWAY_NO_PROVISION: '1' }],
    ] as const) {
      const { code, error } = await desk.type(['call', 'math', 'evaluate', '--expression', '1', ...args], {
        env,
      });
      expect({ code, error: error.error.code }).toEqual({ code: EXIT.auth, error: 'AUTH_REQUIRED' });
      expect(error.error.resolution_hint).toContain('tool-gateway provision');
    }
    expect(await readdir(desk.home)).toEqual([]);
  });

  it('tools are found and described', async () => {
    expect((await desk.type(['search', 'qr', 'code'])).json.tools[0].name).toBe('codes');
    expect((await desk.type(['info', 'math', 'evaluate'])).json.input.required).toContain('expression');
    const human = await desk.type(['info', 'math', 'evaluate'], { tty: true, env: { NO_COLOR: '1' } });
    expect(human.stdout).toContain('--expression');
    expect(human.stdout).toContain("tool-gateway call math evaluate --input '{");
  });
});

describe('a key of their own', () => {
  it('is kept by login where it works, from a pipe or typed without being shown, and forgotten by logout', async () => {
    const { TOOL_GATEWAY_KEY: key = '' } = withKey;
    const wrong = await desk.type(['login', '--key-stdin'], { stdin: 'tg_live_wrong\n' });
    expect(wrong.code).toBe(EXIT.auth);
    expect(await readdir(desk.home)).toEqual([]);
    const typed = [
      { args: ['login', '--key-stdin'], options: { stdin: `${key}\n` } },
      // At a terminal the address is asked first: Enter takes the one that is set.
      { args: ['login'], options: { stdin: ['\r', `${key}x\u007f\r`], tty: true } },
    ];
    for (const { args, options } of typed) {
      const { code, stdout, stderr } = await desk.type(args, options);
      expect(code).toBe(EXIT.ok);
      expect(stdout + stderr).not.toContain(key);
      expect((await kept()).keys[gateway.baseUrl].api_key).toBe(key);
    }
    expect((await desk.type(['balance'])).code).toBe(EXIT.ok);
    expect((await desk.type(['logout'])).json).toEqual({ base_url: gateway.baseUrl, removed: true });
    expect((await desk.type(['balance'])).code).toBe(EXIT.auth);
  });

  it('on the command line is refused, and where it belongs is said', async () => {
    const { code, error, stderr } = await desk.type(['balance', '--api-key', 'tg_live_secret']);
    expect({ code, error: error.error.code }).toEqual({ code: EXIT.usage, error: 'USAGE' });
    expect(error.error.resolution_hint).toContain('TOOL_GATEWAY_KEY');
    expect(stderr).not.toContain('tg_live_secret');
  });

  it('makes keys that work, shows the secret once, and revokes them', async () => {
    const made = (await desk.type(['keys', 'create', '--name', 'ci', '--credits', '0.5'], { env: withKey }))
      .json;
    const list = await desk.type(['keys', 'list'], { env: withKey });
    expect(list.stdout).not.toContain(made.secret);
    const env = { TOOL_GATEWAY_KEY: made.secret };
    expect((await desk.type(['balance'], { env })).code).toBe(EXIT.ok);
    expect((await desk.type(['keys', 'revoke', made.id], { env: withKey })).code).toBe(EXIT.ok);
    expect((await desk.type(['balance'], { env })).code).toBe(EXIT.auth);
  });
});

describe('files, batches, usage and reviews', () => {
  it('go up and come down byte for byte, and never over a file that is there', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    const from = join(desk.home, 'data.bin');
    await writeFile(from, bytes);
    const { json } = await desk.type(['upload', from], { env: withKey });
    await mkdir(join(desk.home, 'down'));
    const saved = await desk.type(['download', json.asset_id, '-o', join(desk.home, 'down')]);
    expect(await readFile(saved.json.path)).toEqual(bytes);
    expect((await desk.type(['download', json.asset_id, '-o', from])).code).toBe(EXIT.usage);
    expect((await desk.type(['download', json.asset_id, '-o', from, '--force'])).code).toBe(EXIT.ok);
  });

  it('run side by side, and end with the code of the first that failed', async () => {
    const calls = [
      { tool: 'math', skill: 'evaluate', input: { expression: '1 + 1' } },
      { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } },
      { tool: 'diagnostics', skill: 'background', input: { seconds: 0 } },
    ];
    const { code, json } = await desk.type(['batch', '-'], {
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

  it('are shown', async () => {
    await desk.type(['call', 'math', 'evaluate', '--expression', '1'], { env: withKey });
    expect((await desk.type(['usage', '--period', 'day'], { env: withKey })).json.calls).toBeGreaterThan(0);
    expect(
      (await desk.type(['usage', '--history', '--limit', '1'], { env: withKey })).json.records,
    ).toHaveLength(1);
    const review = await desk.type(['review', 'math', '5', 'Exact.'], { env: withKey });
    expect(review.json).toMatchObject({ tool: 'math', rating: 5 });
    const dry = await desk.type(['call', 'diagnostics', 'spend', '--amount_usd', '0.5', '--dry-run'], {
      env: poor,
    });
    expect(dry).toMatchObject({ code: EXIT.billing, json: { valid: false, estimated_cost_usd: 0.5 } });
  });
});
