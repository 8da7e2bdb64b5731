import { describe, expect, it } from 'vitest';
import { parseDocument } from './read-openapi';

const parse = async (text: string) => (await parseDocument(`openapi: 3.0.0\n${text}`)) as unknown;

describe('a document in YAML', () => {
  it('is read as the same document in JSON would be', async () => {
    const text = `
# comment
info: &info {title: "A: b", version: 1.0}
paths:
  /a:
    get:
      responses:
        200: {description: yes}
x-dates: [2020-01-01, 2020-01-01T00:00:00Z]
x-numbers: [725653563933458433, 0x10, 1e3, 1e400, 0.5]
x-texts: [on, "1", ~, true]
x-copy:
  <<: *info
  title: C
`;
    expect(await parse(text)).toEqual({
      openapi: '3.0.0',
      info: { title: 'A: b', version: 1 },
      paths: { '/a': { get: { responses: { '200': { description: 'yes' } } } } },
      'x-dates': ['2020-01-01', '2020-01-01T00:00:00Z'],
      'x-numbers': ['725653563933458433', 16, 1000, '1e400', 0.5],
      'x-texts': ['on', '1', null, true],
      'x-copy': { title: 'C', version: 1 },
    });
    await expect(parseDocument('---\n"openapi": 3.1.0\npaths: {}\n')).resolves.toMatchObject({ paths: {} });
  });

  it.each([
    ['bad indentation', 'a: 1\n b: 2', /not usable YAML. Line 3, column 3: /],
    ['aliases that double', bomb(40), /aliases repeat too much/],
    ['an alias within itself', 'a: &a [*a]', /aliases repeat too much/],
    ['levels', `a: ${'['.repeat(20_000)}`, /nested too deeply|Line/],
    ['Swagger', 'swagger: "2.0"', /Swagger 2.0/],
  ])('is refused for %s', async (_, text, message) => {
    await expect(parse(text)).rejects.toThrow(message);
  });

  it('has no prototype of its own choosing', async () => {
    expect(Object.getPrototypeOf(await parse('__proto__: {a: 1}'))).toBe(Object.prototype);
  });
});

/** Each level has the one before it twice. */
function bomb(levels: number): string {
  const lines = Array.from(
    { length: levels },
    (_, at) => `b${at}: &b${at} [${at > 0 ? `*b${at - 1}, *b${at - 1}` : 'x'}]`,
  );
  return lines.join('\n');
}
