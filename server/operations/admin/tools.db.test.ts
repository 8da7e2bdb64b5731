import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { type FakeMcp, startFakeMcp, TEXT_TOOL } from '@/test/support/fake-mcp';
import { runAdmin } from '../../main/admin/admin';

const SECRET = 'test-secret-typed-in';
let database: TestDatabase;
let dataDir: string;
let upstream: FakeMcp;

beforeAll(async () => {
  [database, upstream] = await Promise.all([createTestDatabase(), startFakeMcp()]);
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-tools-'));
});
afterAll(async () => {
  await upstream.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function tools(args: readonly string[], input = '') {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runAdmin({
    args: ['tools', ...args],
    env: { NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: dataDir },
    cwd: dataDir,
    readInput: async () => input,
    print: (line) => out.push(line),
    report: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n'), json: () => JSON.parse(out.at(-1) ?? 'null') };
}
const importing = () => ['import', '--mcp', upstream.url, '--name', 'shouter', '--allow-private'];
const slot = ['--secret', 'shout-key:header=Authorization,format=Bearer {},title=Shout key'];

describe('the admin commands for tools', () => {
  it('first show what would be imported, and import only with --yes', async () => {
    const shown = await tools([...importing(), '--price', '0.002']);
    expect(shown.code).toBe(1);
    expect(shown.out).toContain('$0.002');
    expect(shown.out).toContain('Nothing is imported yet');
    const args = [
      ...importing(),
      '--price',
      '0.002',
      '--skill-price',
      'shout=0.01',
      '--category',
      'text',
      ...slot,
    ];
    const made = await tools([...args, '--yes', '--with-secret', '--json'], `${SECRET}\n`);
    expect(made.json()).toMatchObject({ imported: true, skills: [{ skill: 'shout', price_usd: 0.01 }] });
    expect(upstream.received.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(made.out).not.toContain(SECRET);
    expect(made.json().secrets).toEqual([
      {
        slot: 'shout-key',
        carrier: { kind: 'header', header: 'Authorization', format: 'Bearer {}' },
        platform: true,
      },
    ]);
  });

  it('show what is left out of a document, of its operations, and what is slow, before anything is stored', async () => {
    const parameters = [
      { name: 'a', in: 'query', schema: { type: 'string', pattern: '(a+)+$' } },
      { name: 'b', in: 'cookie', schema: { type: 'string' } },
    ];
    const document = {
      openapi: '3.1.0',
      servers: [{ url: 'https://api.example.com/v1' }],
      paths: {
        '/a': { get: { operationId: 'a', parameters } },
        '/b': { get: { operationId: 'b', servers: [{ url: '/v2' }] } },
        '/c': { get: { operationId: 'c' }, servers: [{ url: 'https://upload.example.com' }] },
        '/d': { $ref: '#/none' },
      },
    };
    const file = join(dataDir, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const args = ['import', '--openapi', file, '--name', 'documented', '--free'];
    const { code, out } = await tools(args);
    expect(code).toBe(1);
    expect(out).toContain('OpenAPI from a file, API at https://api.example.com/v1');
    expect(out).toContain('at https://api.example.com/v2');
    expect(out).toContain('Left out (2):');
    expect(out).toContain('  c: Its own server is https://upload.example.com, but');
    expect(out).toContain('  /d: A part that it refers to is missing.');
    expect(out).toContain('Warnings (2):');
    expect(out).toContain('  a: It takes b in a cookie');
    expect(out).toContain('  a: Its pattern (a+)+$ is slow');
    const planned = (await tools([...args, '--dry-run', '--json'])).json();
    expect(planned.left_out).toHaveLength(2);
    expect(planned.warnings).toHaveLength(2);
    expect((await tools(['list'])).out).not.toContain('documented');
  });

  it('find a change, show both versions, and approve exactly the shown one', async () => {
    upstream.tools = [{ ...TEXT_TOOL, description: 'Another one.' }];
    expect(await tools(['check', 'shouter'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('changed'),
    });
    const diff = await tools(['diff', 'shouter']);
    expect(diff.out).toContain('- Says a text in capitals.');
    expect(diff.out).toContain('+ Another one.');
    const hash = /--hash ([0-9a-f]{64})/.exec(diff.out)?.[1] ?? '';
    expect((await tools(['approve', 'shouter', '--hash', hash])).code).toBe(0);
  });

  it('change, disable and remove a tool', async () => {
    const set = await tools(['set', 'shouter', '--price', '0.5', '--subtitle', 'Loud', '--json']);
    expect(set.json().skills[0].price_usd).toBe(0.01);
    const reads = await tools(['set', 'shouter', '--read-only', 'sh*', '--json']);
    expect(reads.json().skills[0]).toMatchObject({ skill: 'shout', read_only: true });
    expect((await tools(['set', 'shouter', '--read-only', 'whisper'])).err).toContain('no such operation');
    expect((await tools(['disable', 'shouter'])).out).toContain('switched it off');
    expect((await tools(['secret', 'shouter', 'other'], SECRET)).err).toContain('it has: shout-key');
    expect((await tools(['remove', 'shouter'])).out).toContain('Removed shouter');
  });
});
