import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureCpuMs } from '@/test/support/measure-cpu-ms';
import { tools } from '../../tools/registry';
import { createSearchIndex } from './search-index';
import { syntheticTools, wordNumber } from './testing/synthetic-tools';

const index = createSearchIndex(tools);
const searchNames = (query: string) => index.search(query).found.map(({ tool }) => tool);

// Queries as people write them: with typos, and in other words than the descriptions.
const queries: readonly [string, string][] = [
  ['make a qr code for my wifi', 'codes'],
  ['generate ean barcode', 'codes'],
  ['genrate a bar code for a product', 'codes'],
  ['I need a scannable code for our website', 'codes'],
  ['qrcode as png', 'codes'],
  ['vcard contact code for business cards', 'codes'],
  ['print data matrix labels', 'codes'],
  ['barcod with check digit', 'codes'],
  ['UPC', 'codes'],
  ['ean13', 'codes'],
  ['turn a link into a picture that phones can scan', 'codes'],
  ['PDF417', 'codes'],
  ['convert miles to km', 'math'],
  ['convrt fahrenheit to celcius', 'math'],
  ['how many kilograms is 20 pounds', 'math'],
  ['avarage and standard deviation', 'math'],
  ['mean and median of a list of numbers', 'math'],
  ['calculator', 'math'],
  ['solve an equation', 'math'],
  ['evaluate a formula with variables', 'math'],
  ['unit convertor', 'math'],
  ['linear regression', 'math'],
  ['what is 15 percent of 80', 'math'],
  ['95th percentile of response times', 'math'],
  ['matrix determinant', 'math'],
  ['gallons in litres', 'math'],
  ['statistcs of my measurements', 'math'],
  ['variance and quartiles', 'math'],
  ['how many wrods are in this text', 'text'],
  ['word count', 'text'],
  ['count characters in an essay', 'text'],
  ['hide email addresses', 'text'],
  ['remove personal data', 'text'],
  ['anonymise a document', 'text'],
  ['redcat credit card numbers', 'text'],
  ['mask PII before sharing', 'text'],
  ['compare two versions of a document', 'text'],
  ['what changed between two files', 'text'],
  ['show the diffrence between texts', 'text'],
  ['unified diff', 'text'],
  ['extract phone numbers', 'text'],
  ['extract urls from a text', 'text'],
  ['reading time of an article', 'text'],
  ['most frequent words', 'text'],
  ['pull dates out of a contract', 'text'],
  ['wait ten seconds', 'diagnostics'],
  ['test my api key', 'diagnostics'],
  ['ping', 'diagnostics'],
  ['try out error handling and retries', 'diagnostics'],
  ['spend a small amount to check billing', 'diagnostics'],
  ['simulate a timeout', 'diagnostics'],
  ['call that always fails', 'diagnostics'],
  ['test streaming progress', 'diagnostics'],
];

const hostile = [
  'a'.repeat(900),
  '(a+)+$',
  "'; DROP TABLE tools;--",
  '%_%',
  'foo & | ! <-> :*',
  '𝔘𝔫𝔦‮\u0000é̸🤖',
  '\u202e\u200f',
  '\u0000',
  '🤖🤖',
  '',
  ' ',
  '*',
  '__proto__',
  'constructor toString',
  'the of and',
  'x '.repeat(250),
  '\ud800',
  '漢字かな',
  'مرحبا',
  '́'.repeat(500),
  'İ'.repeat(300),
  'ﷺ'.repeat(500),
];

describe('search', () => {
  it.each(queries)('%s → %s', (query, expected) => {
    expect(searchNames(query)[0]).toBe(expected);
  });

  it('finds a tool by its names, and by a sentence made of its own description', () => {
    for (const tool of tools) {
      expect(searchNames(tool.name)[0]).toBe(tool.name);
      expect(searchNames(tool.displayName)[0]).toBe(tool.name);
      expect(searchNames(tool.displayName.split(/\s+/)[0] ?? '')).toContain(tool.name);
      expect(searchNames(`please find me something that can ${tool.description.slice(0, 60)}`)[0]).toBe(
        tool.name,
      );
      for (const skill of tool.skills) {
        expect(searchNames(skill.name.replaceAll('_', ' ')), skill.name).toContain(tool.name);
        expect(searchNames(skill.description.slice(0, 200))[0], skill.name).toBe(tool.name);
      }
    }
  });

  it('finds nothing for text without words', () => {
    for (const query of ['xqzzkw vbnhgt', 'qwpfgj', 'zzzzzzzzzz', '🤖', '漢字'])
      expect(index.search(query)).toEqual({ found: [], nearest: [] });
  });

  it('searches for stop words if the query has no others', () => {
    expect(index.search('with the')).not.toEqual({ found: [], nearest: [] });
  });

  it('finds a word by its beginning', () => {
    expect(searchNames('barc')[0]).toBe('codes');
    expect(searchNames('convert fahr')[0]).toBe('math');
  });

  it('never throws, and returns the same result twice', () => {
    for (const query of hostile) expect(index.search(query)).toEqual(index.search(query));
    const names = tools.map((tool) => tool.name);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (query) => {
        const found = searchNames(query);
        expect(names).toEqual(expect.arrayContaining(found));
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });

  it('searches 1,000 tools for a query of 500 characters in less than 50 ms of CPU time @E17', async () => {
    const many = createSearchIndex(syntheticTools(1_000));
    const long = [
      'convert anlyze documnets and meassure tempreature for the wether of tommorow '.repeat(7).slice(0, 500),
      Array.from({ length: 100 }, (_, at) => `wrd${at}x`)
        .join(' ')
        .slice(0, 500),
      Array.from({ length: 60 }, (_, at) => wordNumber(at * 7))
        .join(' ')
        .slice(0, 500),
    ];
    for (const query of long) {
      many.search(query);
      const times: number[] = [];
      for (let n = 0; n < 5; n++) times.push(await measureCpuMs(() => many.search(query)));
      expect(Math.min(...times), query.slice(0, 30)).toBeLessThan(50);
    }
  });
});
