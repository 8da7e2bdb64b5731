import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../core/errors/catalogue';
import { deprecationsMarkdown } from './deprecations-markdown';
import { parseMarkdown } from './parse-markdown';
import { publishMarkdown, readGuides } from './read-guides';
import { compareAnswer } from './testing/compare-answer';

const BASE = 'https://gateway.example.com';

describe('guides', () => {
  it('have a title, a sentence about them, and this gateway’s own addresses', async () => {
    for (const { name, title, summary, markdown } of await readGuides(BASE)) {
      expect(title, name).not.toBe(name);
      expect(summary.length, name).toBeGreaterThan(40);
      expect(markdown, name).not.toContain('localhost:3000');
      expect(markdown, name).not.toContain('<!-- generated:');
    }
  });

  it('have one chapter for each code of an error, under the code itself', async () => {
    const errors = (await readGuides(BASE)).find(({ name }) => name === 'errors');
    const ids = parseMarkdown(errors?.markdown ?? '', BASE).flatMap((block) =>
      block.kind === 'heading' ? [block.id] : [],
    );
    for (const code of ERROR_CODES) expect(ids.filter((id) => id === code)).toHaveLength(1);
  });

  it('as texts for agents lead to other texts by whole addresses', () => {
    const text =
      '```sh skip="why"\nls\n```\n\n[Keys](keys.md#claim), [a file](../scripts/x.mjs), [ours](https://gateway.example.com/docs/api)';
    expect(publishMarkdown(text, BASE)).toBe(
      '```sh\nls\n```\n\n[Keys](https://gateway.example.com/docs/keys.md#claim), a file, [ours](https://gateway.example.com/docs/api)',
    );
  });
});

describe('Markdown as blocks', () => {
  it('has no place for HTML, nor for addresses that run', () => {
    const blocks = parseMarkdown('<script>alert(1)</script>\n\nA <b>b</b> [x](javascript:alert(1)) c', BASE);
    expect(JSON.stringify(blocks)).not.toMatch(/script>|javascript:|<b>/);
  });

  it('puts the same thing in several languages into one block, and an answer into its own', () => {
    const fence = (info: string) => `\`\`\`${info}\nx\n\`\`\``;
    const blocks = parseMarkdown(
      [fence('sh'), fence('ts'), fence('json answer'), fence('sh'), fence('sh')].join('\n\n'),
      BASE,
    );
    expect(
      blocks.map((block) => (block.kind === 'code' ? block.samples.map(({ label }) => label) : [])),
    ).toEqual([['curl', 'TypeScript'], ['Answer'], ['curl'], ['curl']]);
  });

  it('gives headings ids of their own', () => {
    const blocks = parseMarkdown('## What it is\n\n## What it is\n\n### `SOME_CODE`', BASE);
    expect(blocks.map((block) => block.kind === 'heading' && block.id)).toEqual([
      'what-it-is',
      'what-it-is-1',
      'SOME_CODE',
    ]);
  });
});

describe('the comparison of what is written with what came', () => {
  it('lets more come than is written, but nothing else and nothing less', () => {
    expect(compareAnswer('json', '{"id":"call_…","n":1}', '{"id":"call_1","n":1,"more":2}')).toEqual([]);
    expect(compareAnswer('json', '{"id":"call_…"}', '{"id":"job_1"}')).toHaveLength(1);
    expect(compareAnswer('json', '{"n":1,"m":2}', '{"n":1}')).toHaveLength(1);
    expect(compareAnswer('json', '{"n":1}', 'no json')).toHaveLength(1);
    expect(compareAnswer('text', 'a …\nc', 'a b\nx\nc')).toEqual([]);
    expect(compareAnswer('text', 'c\na', 'a\nc')).toHaveLength(1);
  });
});

it('the chapter of versions lists what is deprecated: since when, until when, and what to use instead', () => {
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
