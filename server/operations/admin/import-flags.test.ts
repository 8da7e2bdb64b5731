import { describe, expect, it } from 'vitest';
import { parseFlags, UsageError } from './arguments';
import { IMPORT_FLAGS, parseImportRequest, splitWords } from './import-flags';

const read = async (...args: string[]) =>
  await parseImportRequest(
    parseFlags(['--name', 'x', ...args], IMPORT_FLAGS),
    async () => ' a-secret-value\n',
  );
const MCP = ['--mcp', 'https://a.test/mcp'];

describe('the flags of tools import', () => {
  it.each([
    [['--free'], '--mcp or --openapi'],
    [MCP, '--price USD, or --free'],
    [[...MCP, '--price', 'cheap'], 'is not an amount'],
    [[...MCP, '--free', '--price', '1'], '--free cannot be combined'],
    [['--mcp', 'https://u:p@a.test', '--free'], 'must not contain a password'],
    [['--openapi', '/no/such/file', '--free'], 'cannot be read'],
    [[...MCP, '--free', '--secret', 'k:env=PATH'], 'such as PATH'],
    [[...MCP, '--free', '--env', 'NODE_OPTIONS=--inspect'], 'such as PATH'],
    [[...MCP, '--free', '--env', 'A=1'], 'only be used with a program'],
    [[...MCP, '--free', '--secret', 'k:header=A,format=none'], 'must contain {}'],
    [
      [...MCP, '--free', '--secret', 'k:header=A,format={},url=javascript:alert(1)'],
      'begins with https:// or http://',
    ],
    [[...MCP, '--free', '--with-secret'], 'requires --secret'],
    [[...MCP, '--free', '--rename', 'a'], 'NAME=VALUE'],
    [[...MCP, '--free', '--estimated-seconds', '1000'], 'at most 900'],
    [[...MCP, '--free', '--category', 'Not One'], 'lower-case'],
  ])('%j is refused with a message about the problem', async (args, words) => {
    const refused = await read(...args).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect(String(refused)).toContain(words);
  });

  it('are parsed completely, with prices exact to the micro-dollar', async () => {
    const secret = 'k:header=Authorization,format=Bearer {},title=A, b,url=https://a.test/keys';
    const request = await read(
      ...[
        ...MCP,
        '--price',
        '0.000001',
        '--provider-cost',
        '2',
        '--skill-price',
        'one=3',
        '--rename',
        'a=b=c',
      ],
      ...['--category', 'text', '--category', 'data', '--include', 'a*', '--secret', secret, '--with-secret'],
    );
    expect(request).toMatchObject({
      source: { kind: 'mcp-http', url: 'https://a.test/mcp' },
      price: { feeMicrousd: 1n, providerCostMicrousd: 2_000_000n },
      skillPrices: { one: { feeMicrousd: 3_000_000n, providerCostMicrousd: 2_000_000n } },
      rename: { 'a=b': 'c' },
      shown: { categories: ['text', 'data'] },
      include: ['a*'],
      slot: {
        slot: 'k',
        carrier: { kind: 'header', header: 'Authorization', format: 'Bearer {}' },
        displayName: 'A, b',
        acquireUrl: 'https://a.test/keys',
        value: 'a-secret-value',
      },
    });
  });

  it('splits a program and its arguments without a shell', () => {
    expect(splitWords(`npx -y "a b" --x='$HOME; rm' c`)).toEqual(['npx', '-y', 'a b', '--x=$HOME; rm', 'c']);
  });
});
