import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { compareDocuments } from './compare-documents.mjs';
import { mutations, sample } from './mutations.mjs';

const OVER = { deprecated: true, 'x-sunset': '2027-06-30T23:59:59Z' };
const on = (day: string) => new Date(`${day}T00:00:00Z`);

describe('compareDocuments', () => {
  it.each(mutations)('$name: $means', ({ means, after }) => {
    const { breaking, compatible } = compareDocuments(sample(), after);
    const found = breaking.length > 0 ? 'breaking' : compatible.length > 0 ? 'compatible' : 'nothing';
    expect(found, [...breaking, ...compatible].join('\n')).toBe(means);
  });

  it('reports the place and the kind of each change', () => {
    const listFindings = (name: string) => {
      const mutation = mutations.find((each) => each.name === name);
      return mutation && compareDocuments(sample(), mutation.after).breaking;
    };
    expect(listFindings('a request enum is narrowed')).toEqual([
      'PUT /v1/things/{id} body.mode: no longer accepts ["slow"]',
    ]);
    expect(listFindings('a parameter becomes required')).toEqual([
      'GET /v1/things/{id} query limit: was optional, is required',
    ]);
    expect(listFindings('a response may be null')).toContain(
      'GET /v1/things/{id} 200 application/json.note: its type was "string", is "null"',
    );
  });

  it('allows removing a deprecated operation after its sunset', () => {
    const before = sample();
    Object.assign(before.paths['/v1/things'].get, OVER);
    const after = sample();
    delete after.paths['/v1/things'];
    expect(compareDocuments(before, after, on('2027-06-30')).breaking).toHaveLength(1);
    expect(compareDocuments(before, after, on('2027-07-01')).breaking).toEqual([]);
    expect(compareDocuments(sample(), after, on('2027-07-01')).breaking).toHaveLength(1);
  });
});

describe('the command', () => {
  it('exits 1 and names breaking changes, lists additions, and exits 2 for an unreadable document', async () => {
    const folder = await temporaryFolder();
    const run = (...files: string[]) => {
      const args = [fileURLToPath(new URL('../openapi-diff.mjs', import.meta.url)), ...files];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      return { status, stdout, stderr };
    };
    const keep = (name: string, document: object) => {
      const file = join(folder, name);
      writeFileSync(file, JSON.stringify(document));
      return file;
    };
    try {
      const before = keep('before.json', sample());
      const of = (name: string) =>
        keep('after.json', mutations.find((each) => each.name === name)?.after ?? {});
      expect(run(before, of('a response field is gone'))).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('BREAK GET /v1/things/{id} 200 application/json.note: is gone'),
      });
      expect(run(before, of('a path is new'))).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('GET /v1/new: is new'),
      });
      expect(run(before, join(folder, 'none.json')).status).toBe(2);
    } finally {
      await removeFolder(folder);
    }
  });
});
