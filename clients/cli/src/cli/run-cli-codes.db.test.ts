import { beforeEach, describe, expect, it } from 'vitest';
import type { Harness } from '@/test/support/harness';
import type { CliSandbox } from '../testing/cli-sandbox.js';
import { useCli } from '../testing/use-cli.js';
import { EXIT } from './exit-codes.js';

const CREDIT = 1_000_000n;
const QUIET = '--no-retry';

let gateway: Harness;
let sandbox: CliSandbox;
let withKey: Record<string, string>;
let poor: Record<string, string>;
useCli((fixture) => {
  ({ gateway, sandbox, withKey, poor } = fixture);
});

describe('exit codes', () => {
  const cases: [string, string[], number, string, (() => Record<string, string>)?, string?][] = [
    [
      'input that violates the schema',
      ['call', 'math', 'evaluate', '--input', '{}'],
      EXIT.usage,
      'INVALID_INPUT',
    ],
    ['an unknown field', ['call', 'math', 'evaluate', '--expresion', '1'], EXIT.usage, 'USAGE'],
    ['invalid JSON', ['call', 'math', 'evaluate', '--input', '{"a":1,\n "b" 2}'], EXIT.usage, 'USAGE'],
    ['input that is not an object', ['call', 'math', 'evaluate', '--input', '[1]'], EXIT.usage, 'USAGE'],
    ['a missing file', ['upload', '/nowhere/at-all'], EXIT.usage, 'USAGE'],
    ['an unknown flag', ['balance', '--jsn'], EXIT.usage, 'USAGE'],
    ['an unknown command', ['blance'], EXIT.usage, 'USAGE'],
    ['no key', ['balance'], EXIT.auth, 'AUTH_REQUIRED', () => ({})],
    ['a wrong key', ['balance'], EXIT.auth, 'AUTH_FAILED', () => ({ TOOL_GATEWAY_KEY: 'tg_live_wrong' })],
    [
      'insufficient credit',
      ['call', 'diagnostics', 'spend', '--amount_usd', '0.5'],
      EXIT.billing,
      'INSUFFICIENT_CREDITS',
      () => poor,
    ],
    ['an unclaimed key', ['keys', 'create'], EXIT.billing, 'CLAIM_REQUIRED', () => provisional ?? {}],
    ['an unknown tool', ['call', 'nothing', 'here', '--input', '{}'], EXIT.notFound, 'TOOL_NOT_FOUND'],
    ['an unknown skill', ['call', 'math', 'nothing', '--x', '1'], EXIT.notFound, 'SKILL_NOT_FOUND'],
    ['an unknown job', ['jobs', 'get', 'job_nothing'], EXIT.notFound, 'NOT_FOUND'],
    ['an unknown file', ['download', 'asset_nothing'], EXIT.notFound, 'ASSET_NOT_FOUND'],
    [
      'input that the tool rejects',
      ['call', 'math', 'evaluate', '--expression', '6*'],
      EXIT.usage,
      'INVALID_INPUT',
    ],
    [
      'a tool that fails',
      ['call', 'diagnostics', 'flaky', '--mode', 'throw'],
      EXIT.toolFailed,
      'HANDLER_ERROR',
    ],
    [
      'a streamed call that fails',
      ['call', 'diagnostics', 'flaky', '--mode', 'throw', '--stream'],
      EXIT.toolFailed,
      'HANDLER_ERROR',
    ],
    ['an unreachable gateway', ['tools', '--base-url', 'http://127.0.0.1:9'], EXIT.unexpected, 'UNREACHABLE'],
    ['an invalid base URL', ['tools', '--base-url', 'gateway'], EXIT.usage, 'USAGE'],
  ];
  let provisional: Record<string, string> | undefined;

  beforeEach(async () => {
    provisional ??= { TOOL_GATEWAY_KEY: (await gateway.request('POST', '/v1/auth/provision')).body.api_key };
  });

  it.each(cases)(
    '%s has its exit code, error code and hint',
    async (_, args, exit, errorCode, env = () => withKey) => {
      const { code, error, stdout } = await sandbox.run([...args, QUIET], { env: env() });
      expect({ code, stdout, error: error?.error?.code }).toEqual({
        code: exit,
        stdout: '',
        error: errorCode,
      });
      expect(error.error.resolution_hint.length).toBeGreaterThan(10);
      const person = await sandbox.run([...args, QUIET], { env: { ...env(), NO_COLOR: '1' }, tty: true });
      expect(person.code).toBe(exit);
      expect(person.stderr).toContain(`error ${error.error.message}`);
      expect(person.stderr).toContain(error.error.resolution_hint);
    },
  );

  it('a reached spending limit has its exit code and error code', async () => {
    const { key } = await gateway.person(CREDIT);
    await gateway.request('PUT', '/v1/billing/preferences', { key, json: { budgetLimit: 0 } });
    const args = ['call', 'diagnostics', 'spend', '--amount_usd', '0.5'];
    const { code, error } = await sandbox.run(args, { env: { TOOL_GATEWAY_KEY: key } });
    expect({ code, error: error.error.code }).toEqual({
      code: EXIT.rateLimited,
      error: 'SPENDING_LIMIT_EXCEEDED',
    });
  });

  it('come with the position of a JSON error and a suggestion for a mistyped command', async () => {
    const bad = await sandbox.run(['call', 'math', 'evaluate', '--input', '{"a":1,\n "b" 2}'], {
      env: withKey,
    });
    expect(bad.error.error.message).toMatch(/line 2, column 6/);
    expect((await sandbox.run(['serch', 'x'])).error.error.resolution_hint).toContain('Did you mean search?');
    expect((await sandbox.run(['keys', 'lst'])).error.error.resolution_hint).toContain('keys list');
  });
});
