import { describe, expect, it } from 'vitest';
import { collectRoutes } from '../../api/http/routes';
import { tools } from '../../tools/registry';
import { createToolLookup } from '../../tools/tool-lookup';
import { DEPRECATIONS, type Deprecation } from './deprecations';
import { addNotice, Versions } from './versions';

const BASE = 'https://gateway.test';
const entry: Deprecation = { since: '2026-12-01T00:00:00Z', link: '/docs/versioning#old' };
const noticeOf = (changes: Partial<Deprecation>) =>
  new Versions(BASE, { routes: {}, tools: { old: { ...entry, ...changes } } }).findToolNotice('old');

describe('the table of deprecations', () => {
  const lookup = createToolLookup(tools);
  const routes = new Set(collectRoutes().map(({ method, template }) => `${method} ${template}`));
  const isRoute = (name: string) => routes.has(name);
  const isTool = (name: string) => {
    const [toolName = '', skill] = name.split('.');
    const tool = lookup.findTool(toolName);
    return tool !== undefined && (skill === undefined || lookup.findSkill(tool, skill) !== undefined);
  };

  it('is valid', () => {
    expect(() => new Versions(BASE)).not.toThrow();
  });

  it('names only existing routes and tools, and existing replacements', () => {
    expect(Object.keys(DEPRECATIONS.routes).filter((name) => !isRoute(name))).toEqual([]);
    expect(Object.keys(DEPRECATIONS.tools).filter((name) => !isTool(name))).toEqual([]);
    const replacements = [DEPRECATIONS.routes, DEPRECATIONS.tools].flatMap((table) =>
      Object.values(table).flatMap(({ replacement }) => replacement ?? []),
    );
    expect(replacements.filter((name) => !isRoute(name) && !isTool(name))).toEqual([]);
  });
});

describe('a deprecation', () => {
  it('is formatted according to RFC 9745 and RFC 8594', () => {
    expect(noticeOf({ sunset: '2027-06-01T12:30:15Z' })?.headers).toEqual({
      Deprecation: '@1796083200',
      Sunset: 'Tue, 01 Jun 2027 12:30:15 GMT',
      Link: `<${BASE}/docs/versioning#old>; rel="deprecation"; type="text/html", <${BASE}/docs/versioning#old>; rel="sunset"; type="text/html"`,
    });
  });

  it('has no Sunset header without a date', () => {
    const notice = noticeOf({ link: 'https://elsewhere.test/a' });
    expect(notice?.headers).toEqual({
      Deprecation: '@1796083200',
      Link: '<https://elsewhere.test/a>; rel="deprecation"; type="text/html"',
    });
    expect(notice?.deprecated).toEqual({
      since: '2026-12-01T00:00:00.000Z',
      sunset: null,
      replacement: null,
      link: 'https://elsewhere.test/a',
    });
  });

  it.each([
    ['sunset before since', { sunset: '2026-11-30T00:00:00Z' }],
    ['a second less than six months', { sunset: '2027-05-31T23:59:59Z' }],
    ['six months of a long month', { since: '2026-08-31T00:00:00Z', sunset: '2027-02-27T23:59:59Z' }],
    ['a date without a time', { since: '2026-12-01' }],
    ['a time without a time zone', { since: '2026-12-01T00:00:00' }],
    ['no such day', { since: '2026-13-01T00:00:00Z' }],
    ['a URL without TLS', { link: 'http://elsewhere.test/a' }],
    ['a protocol-relative URL', { link: '//elsewhere.test/a' }],
    ['no address', { link: '' }],
  ])('is rejected with %s, naming the entry', (_, changes) => {
    expect(() => noticeOf(changes)).toThrow(/Deprecation of old: (since|sunset|link)/);
  });

  it('may end exactly six months later, or on the last day of a shorter month', () => {
    expect(noticeOf({ sunset: '2027-06-01T00:00:00Z' })).toBeDefined();
    expect(noticeOf({ since: '2026-08-31T00:00:00Z', sunset: '2027-02-28T00:00:00Z' })).toBeDefined();
  });

  it('cannot break out of the Link header', () => {
    const link = noticeOf({ link: '/docs/a>; rel="evil", <b c"' })?.headers.Link;
    expect(link).toBe(
      `<${BASE}/docs/a%3E;%20rel=%22evil%22,%20%3Cb%20c%22>; rel="deprecation"; type="text/html"`,
    );
  });

  it('of a tool applies to all its skills, of a skill only to that one', () => {
    const versions = new Versions(BASE, {
      routes: {},
      tools: { old: entry, 'half.gone': { ...entry, replacement: 'half.kept' } },
    });
    expect(versions.findToolNotice('old', 'any')?.name).toBe('old');
    expect(versions.findToolNotice('half', 'gone')).toMatchObject({ kind: 'skill', name: 'half.gone' });
    expect(versions.findToolNotice('half', 'kept')).toBeUndefined();
    expect(versions.findToolNotice('half')).toBeUndefined();
    expect(versions.findToolNotice('constructor', '__proto__')).toBeUndefined();
  });

  it('is added to the existing links of a response', () => {
    const headers: Record<string, string> = { Link: '</next>; rel="next"', ETag: '"x"' };
    const notice = noticeOf({});
    if (notice) addNotice(headers, notice);
    expect(headers).toEqual({
      ETag: '"x"',
      Deprecation: '@1796083200',
      Link: `</next>; rel="next", <${BASE}/docs/versioning#old>; rel="deprecation"; type="text/html"`,
    });
  });
});
