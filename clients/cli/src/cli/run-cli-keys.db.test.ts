import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Harness } from '@/test/support/harness';
import type { CliSandbox } from '../testing/cli-sandbox.js';
import { useCli } from '../testing/use-cli.js';
import { EXIT } from './exit-codes.js';

let gateway: Harness;
let sandbox: CliSandbox;
let withKey: Record<string, string>;
useCli((fixture) => {
  ({ gateway, sandbox, withKey } = fixture);
});

const readKeyFile = async () =>
  JSON.parse(await readFile(join(sandbox.home, '.config/tool-gateway/credentials.json'), 'utf8'));

describe('without a key', () => {
  it('a call creates one, saves it with mode 0600 and prints the claim URL', async () => {
    const first = await sandbox.run(['call', 'math', 'evaluate', '--expression', '1 + 1']);
    expect(first.json.output.result).toBe('2');
    const { keys, base_url } = await readKeyFile();
    const { api_key, claim_url } = keys[gateway.baseUrl];
    expect(base_url).toBe(gateway.baseUrl);
    expect((await stat(join(sandbox.home, '.config/tool-gateway/credentials.json'))).mode & 0o777).toBe(
      0o600,
    );
    expect(first.error).toMatchObject({ event: 'note', claim_url });
    expect(first.stdout + first.stderr).not.toContain(api_key);
    // The gateway is now saved as the default, and no second key is created.
    const second = await sandbox.run(['whoami'], { env: { TOOL_GATEWAY_URL: '' } });
    expect(second.json).toMatchObject({
      base_url: gateway.baseUrl,
      works: true,
      plan: 'provisional',
      claim_url,
    });
    expect(second.stdout).not.toContain(api_key);
  });

  it('provision keeps a working key and replaces one that no longer works', async () => {
    const first = await sandbox.run(['provision']);
    expect(first.json).toMatchObject({ made: true, claim_url: expect.stringContaining('/claim?token=') });
    expect((await sandbox.run(['provision'])).json).toEqual({ ...first.json, made: false });
    const file = join(sandbox.home, '.config/tool-gateway/credentials.json');
    const { api_key } = (await readKeyFile()).keys[gateway.baseUrl];
    await writeFile(file, (await readFile(file, 'utf8')).replace(api_key, `${api_key.slice(0, -1)}#`));
    expect((await sandbox.run(['provision'])).json.made).toBe(true);
    expect((await sandbox.run(['balance'])).code).toBe(EXIT.ok);
  });

  it('concurrent calls create one key', async () => {
    const args = ['call', 'math', 'evaluate', '--expression', '1'];
    const answers = await Promise.all([1, 2, 3, 4].map(() => sandbox.run(args)));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(answers.filter(({ stderr }) => stderr.includes('Created a key'))).toHaveLength(1);
  });

  it('provisioning can be disabled, and the error explains how to get a key', async () => {
    for (const [args, env] of [
      [['--no-provision'], {}],
      [[], { TOOL_GATEWAY_NO_PROVISION: '1' }],
    ] as const) {
      const { code, error } = await sandbox.run(['call', 'math', 'evaluate', '--expression', '1', ...args], {
        env,
      });
      expect({ code, error: error.error.code }).toEqual({ code: EXIT.auth, error: 'AUTH_REQUIRED' });
      expect(error.error.resolution_hint).toContain('tool-gateway provision');
    }
    expect(await readdir(sandbox.home)).toEqual([]);
  });

  it('tools can be found and described', async () => {
    expect((await sandbox.run(['search', 'qr', 'code'])).json.tools[0].name).toBe('codes');
    expect((await sandbox.run(['info', 'math', 'evaluate'])).json.input.required).toContain('expression');
    const lacking = await sandbox.run(['info', 'web-search', 'search'], {
      tty: true,
      env: { NO_COLOR: '1' },
    });
    expect(lacking.stdout).toMatch(/Needs your key: .*\nCall it with --provider-key tavily or /);
    const human = await sandbox.run(['info', 'math', 'evaluate'], { tty: true, env: { NO_COLOR: '1' } });
    expect(human.stdout).toContain('--expression');
    expect(human.stdout).toContain("tool-gateway call math evaluate --input '{");
  });
});

describe('an existing key', () => {
  it('is saved by login if it works, piped or typed without echo, and removed by logout', async () => {
    const { TOOL_GATEWAY_KEY: key = '' } = withKey;
    const wrong = await sandbox.run(['login', '--key-stdin'], { stdin: 'tg_live_wrong\n' });
    expect(wrong.code).toBe(EXIT.auth);
    expect(await readdir(sandbox.home)).toEqual([]);
    const typed = [
      { args: ['login', '--key-stdin'], options: { stdin: `${key}\n` } },
      // At a terminal, login first prompts for the URL; Enter accepts the default.
      { args: ['login'], options: { stdin: ['\r', `${key}x\u007f\r`], tty: true } },
    ];
    for (const { args, options } of typed) {
      const { code, stdout, stderr } = await sandbox.run(args, options);
      expect(code).toBe(EXIT.ok);
      expect(stdout + stderr).not.toContain(key);
      expect((await readKeyFile()).keys[gateway.baseUrl].api_key).toBe(key);
    }
    expect((await sandbox.run(['balance'])).code).toBe(EXIT.ok);
    expect((await sandbox.run(['logout'])).json).toEqual({ base_url: gateway.baseUrl, removed: true });
    expect((await sandbox.run(['balance'])).code).toBe(EXIT.auth);
  });

  it('is rejected as a flag, and the error says where to put it', async () => {
    const { code, error, stderr } = await sandbox.run(['balance', '--api-key', 'tg_live_secret']);
    expect({ code, error: error.error.code }).toEqual({ code: EXIT.usage, error: 'USAGE' });
    expect(error.error.resolution_hint).toContain('TOOL_GATEWAY_KEY');
    expect(stderr).not.toContain('tg_live_secret');
  });

  it('creates keys that work, shows the secret once, and revokes them', async () => {
    const made = (await sandbox.run(['keys', 'create', '--name', 'ci', '--credits', '0.5'], { env: withKey }))
      .json;
    const list = await sandbox.run(['keys', 'list'], { env: withKey });
    expect(list.stdout).not.toContain(made.secret);
    const env = { TOOL_GATEWAY_KEY: made.secret };
    expect((await sandbox.run(['balance'], { env })).code).toBe(EXIT.ok);
    expect((await sandbox.run(['keys', 'revoke', made.id], { env: withKey })).code).toBe(EXIT.ok);
    expect((await sandbox.run(['balance'], { env })).code).toBe(EXIT.auth);
  });
});
