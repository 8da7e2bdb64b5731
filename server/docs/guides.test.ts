import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../core/errors/catalogue';
import { CALL_WINDOWS } from '../core/limits/limits';
import { callRateHeaders } from '../core/limits/rate-headers';
import { readSettings } from '../platform/settings/settings';
import { tools } from '../tools/registry';
import { deprecationsMarkdown } from './deprecations-markdown';
import { parseMarkdown } from './parse-markdown';
import { publishMarkdown, readGuides } from './read-guides';
import { compareResponse } from './testing/compare-response';

const BASE = 'https://gateway.example.com';

describe('guides', () => {
  it('have a title, a summary, and the URLs of this gateway', async () => {
    for (const { name, title, summary, markdown } of await readGuides(BASE)) {
      expect(title, name).not.toBe(name);
      expect(summary.length, name).toBeGreaterThan(40);
      expect(markdown, name).not.toContain('localhost:3000');
      expect(markdown, name).not.toContain('<!-- generated:');
    }
  });

  it('have one chapter per error code, with the code as its anchor', async () => {
    const errors = (await readGuides(BASE)).find(({ name }) => name === 'errors');
    const ids = parseMarkdown(errors?.markdown ?? '', BASE).flatMap((block) =>
      block.kind === 'heading' ? [block.id] : [],
    );
    for (const code of ERROR_CODES) expect(ids.filter((id) => id === code)).toHaveLength(1);
  });

  it('use absolute links to Markdown in texts for agents', () => {
    const text =
      '```sh skip="why"\nls\n```\n\n[Keys](keys.md#claim), [a file](../scripts/x.mjs), [ours](https://gateway.example.com/docs/api)';
    expect(publishMarkdown(text, BASE)).toBe(
      '```sh\nls\n```\n\n[Keys](https://gateway.example.com/docs/keys.md#claim), a file, [ours](https://gateway.example.com/docs/api)',
    );
  });
});

describe('the numbers in documents', () => {
  const { quotas } = readSettings({ NODE_ENV: 'test' });

  it.each(['docs/contract.md', 'docs/guides/limits.md'])('%s has the default limits', async (file) => {
    const limits = CALL_WINDOWS.map(
      ({ per }, index) => `${quotas.perWindow[index]?.toLocaleString('en-US')} ${per}`,
    );
    expect(await readFile(file, 'utf8')).toContain(`${limits.join(', ')}, ${quotas.concurrent} `);
  });

  it.each(['docs/contract.md', 'docs/guides/limits.md'])('%s has the default policy', async (file) => {
    const policy = callRateHeaders([], quotas)['RateLimit-Policy'];
    expect(await readFile(file, 'utf8')).toContain(`RateLimit-Policy: ${policy}`);
  });

  it('README.md lists every built-in tool and their number', async () => {
    const readme = await readFile('README.md', 'utf8');
    const start = readme.indexOf(`**${tools.length} tools**`);
    const list = readme.slice(start, readme.indexOf('\n- **', start));
    expect(start).toBeGreaterThan(0);
    for (const { name } of tools) expect(list).toContain(`\`${name}\``);
  });
});

describe('Markdown as blocks', () => {
  it('drops HTML and javascript: links', () => {
    const blocks = parseMarkdown('<script>alert(1)</script>\n\nA <b>b</b> [x](javascript:alert(1)) c', BASE);
    expect(JSON.stringify(blocks)).not.toMatch(/script>|javascript:|<b>/);
  });

  it('groups the same example in several languages into one block, and a response into its own', () => {
    const fence = (info: string) => `\`\`\`${info}\nx\n\`\`\``;
    const blocks = parseMarkdown(
      [fence('sh'), fence('ts'), fence('json answer'), fence('sh'), fence('sh')].join('\n\n'),
      BASE,
    );
    expect(
      blocks.map((block) => (block.kind === 'code' ? block.samples.map(({ label }) => label) : [])),
    ).toEqual([['curl', 'TypeScript'], ['Response'], ['curl'], ['curl']]);
  });

  it('gives headings unique ids', () => {
    const blocks = parseMarkdown('## What it is\n\n## What it is\n\n### `SOME_CODE`', BASE);
    expect(blocks.map((block) => block.kind === 'heading' && block.id)).toEqual([
      'what-it-is',
      'what-it-is-1',
      'SOME_CODE',
    ]);
  });
});

describe('the comparison of documented and actual responses', () => {
  it('allows additional fields, but no different or missing ones', () => {
    expect(compareResponse('json', '{"id":"call_…","n":1}', '{"id":"call_1","n":1,"more":2}')).toEqual([]);
    expect(compareResponse('json', '{"id":"call_…"}', '{"id":"job_1"}')).toHaveLength(1);
    expect(compareResponse('json', '{"n":1,"m":2}', '{"n":1}')).toHaveLength(1);
    expect(compareResponse('json', '{"n":1}', 'no json')).toHaveLength(1);
    expect(compareResponse('text', 'a …\nc', 'a b\nx\nc')).toEqual([]);
    expect(compareResponse('text', 'c\na', 'a\nc')).toHaveLength(1);
  });
});

it('the deprecations table lists since when, until when, and the replacement', () => {
  const entry = { since: '2026-12-01T00:00:00Z', link: '/docs/versioning#usage' };
  const text = deprecationsMarkdown({
    routes: {
      'GET /v1/usage': { ...entry, sunset: '2027-06-30T00:00:00Z', replacement: 'GET /v1/usage/history' },
    },
    tools: { 'diagnostics.echo': entry },
  });
  expect(text.split('\n').slice(2)).toEqual([
    '| `GET /v1/usage` | 2026-12-01 | 2027-06-30 | `GET /v1/usage/history` |',
    '| `diagnostics.echo` | 2026-12-01 | no date yet | [read on](/docs/versioning#usage) |',
  ]);
  expect(deprecationsMarkdown({ routes: {}, tools: {} })).toBe('Nothing is deprecated.');
});
