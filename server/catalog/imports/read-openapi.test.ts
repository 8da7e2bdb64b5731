import { describe, expect, it } from 'vitest';
import { SkillError } from '../../core/errors/skill-error';
import type { JsonSchema } from '../../tools/sdk/define-tool';
import { buildAuthHeaders, type Carrier } from './imported';
import { getServerUrl } from './openapi-servers';
import { readDocument } from './read-openapi';
import { CONTEXT, get, read, SERVER } from './testing/read-paths';
import { findSchemaProblem } from './validate-json';

describe('an operation with its own server', () => {
  const at = (...urls: string[]) => ({ servers: urls.map((url) => ({ url })) });

  it('is left out if the server is on another origin, with the reason', async () => {
    const { skills, reasons } = await read({
      '/a': get('a', at('https://upload.example.com/v1')),
      '/b': { ...get('b'), ...at('https://upload.example.com') },
      '/c': get('c', at('http://api.example.com/v1')),
      '/d': get('d', at('/v1')),
      '/e': get('e'),
    });
    expect(Object.keys(skills)).toEqual(['e']);
    expect(reasons.a).toBe(
      'Its own server is https://upload.example.com/v1, but this tool sends its requests and its credential to https://api.example.com only: import it as another tool with --server https://upload.example.com/v1.',
    );
    expect(reasons).toMatchObject({
      b: expect.stringContaining('https://upload.example.com,'),
      c: expect.stringContaining('http://api.example.com/v1'),
      d: expect.stringContaining('https://docs.example.com/v1'),
    });
  });

  it('is sent to it if the origin is that of the tool', async () => {
    const { skills } = await read({
      '/a': get('a', at('https://api.example.com/v2/')),
      '/b': { ...get('b', at('https://api.example.com/v1')), ...at('https://other.example.com') },
      '/c': get('c', at('https://eu.example.com/v3', 'https://api.example.com/v3')),
      '/d': { ...get('d', { servers: [] }), ...at('https://api.example.com/v4') },
    });
    const servers = Object.entries(skills).map(([name, { request }]) => [name, request?.server]);
    expect(servers).toEqual([
      ['a', 'https://api.example.com/v2'],
      ['b', undefined],
      ['c', 'https://api.example.com/v3'],
      ['d', 'https://api.example.com/v4'],
    ]);
  });

  it('uses the defaults of server variables, and is left out if one is missing', async () => {
    const variables = { host: { default: 'api' } };
    const url = 'https://{host}.example.com/v5';
    const { skills, reasons } = await read({
      '/a': get('a', { servers: [{ url, variables }] }),
      '/b': get('b', { servers: [{ url }] }),
    });
    expect(skills.a?.request?.server).toBe('https://api.example.com/v5');
    expect(reasons.b).toContain('variable without a default');
  });

  it('is the tool’s if it repeats the document’s, which the operator may replace', async () => {
    const staging = { url: null, server: 'https://staging.example.com' };
    const { skills, reasons } = await read(
      {
        '/a': get('a', { servers: [{ url: SERVER, description: 'Main' }] }),
        '/b': get('b', at(`${SERVER}/b`)),
      },
      {},
      staging,
    );
    expect(skills.a?.request).not.toHaveProperty('server');
    expect(Object.keys(reasons)).toEqual(['b']);
  });

  it('reads a relative server of a document from a file below the server of the tool', async () => {
    const { skills } = await read({ '/a': get('a', at('/v6')) }, {}, { url: null, server: SERVER });
    expect(skills.a?.request?.server).toBe('https://api.example.com/v6');
  });
});

describe('the server of a document', () => {
  const serverOf = (servers: unknown, url: string | null = CONTEXT.url) => getServerUrl({ servers }, url);

  it('is its first, relative to the document, or the root of its host', () => {
    expect(serverOf([{ url: '/api/' }])).toBe('https://docs.example.com/api');
    expect(serverOf([])).toBe('https://docs.example.com');
    expect(serverOf(undefined)).toBe('https://docs.example.com');
  });

  it.each([
    ['a variable without a value', 'https://{tenant}.example.com', 'variable without a default'],
    ['a query', 'https://api.example.com/?key=1', 'query, fragment or user name'],
    ['a user name', 'https://me:secret@api.example.com', 'query, fragment or user name'],
    ['another protocol', 'ftp://api.example.com', 'not an http address'],
  ])('is refused with %s', (_what, url, words) => {
    expect(() => serverOf([{ url }])).toThrow(words);
    expect(() => serverOf([{ url }])).toThrow(SkillError);
    expect(() => serverOf([{ url }])).toThrow('--server');
    expect(() => serverOf([{ url }])).not.toThrow('secret');
  });

  it('is needed if the document comes from a file', () => {
    expect(() => serverOf([{ url: '/v1' }], null)).toThrow('does not name its server');
  });
});

describe('a path', () => {
  it('that is a reference has the operations of its target; another is left out with the reason', async () => {
    const { skills, reasons } = await read(
      {
        '/a': { $ref: '#/components/pathItems/A' },
        '/b': { $ref: '#/paths/~1c', parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] },
        '/c': get('c'),
        '/far': { $ref: 'https://evil.test/paths.json' },
        '/none': { $ref: '#/components/pathItems/None' },
        '/round': { $ref: '#/paths/~1round' },
        noSlash: get('noSlash'),
        'x-extension': get('x'),
        '/rare': { options: {}, trace: {}, query: {}, additionalOperations: { COPY: {} } },
      },
      { components: { pathItems: { A: get('a') } } },
    );
    expect(Object.keys(skills)).toEqual(['a', 'c', 'GET /c']);
    expect(skills.c?.input.properties).toHaveProperty('q');
    expect(reasons).toEqual({
      '/far': expect.stringContaining('https://evil.test/paths.json'),
      '/none': expect.stringContaining('missing'),
      '/round': expect.stringContaining('too long'),
      noSlash: expect.stringContaining('slash'),
      'OPTIONS /rare': expect.stringContaining('not supported'),
      'TRACE /rare': expect.stringContaining('not supported'),
      'QUERY /rare': expect.stringContaining('not supported'),
      'COPY /rare': expect.stringContaining('not supported'),
    });
  });
});

describe('schemas of a document', () => {
  const post = (operationId: string, $ref: string) => ({
    post: {
      operationId,
      requestBody: { required: true, content: { 'application/json': { schema: { items: { $ref } } } } },
      responses: {},
    },
  });

  it.each([
    ['用户', '订单', '%E7%94%A8%E6%88%B7', '%E8%AE%A2%E5%8D%95'],
    ['Page«User»', 'Page_User_', 'Page«User»', 'Page_User_'],
    ['a/b', 'a_1b', 'a~1b', 'a_1b'],
    ['A B', 'A_B', 'A B', 'A_B'],
  ])('stay apart if their names are %s and %s', async (one, two, first, second) => {
    const schemas = { [one]: { type: 'string' }, [two]: { type: 'integer' } };
    const properties = {
      one: { $ref: `#/components/schemas/${first}` },
      two: { $ref: `#/components/schemas/${second}` },
    };
    const { skills } = await read(
      {
        '/a': {
          post: {
            operationId: 'a',
            requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
            responses: {},
          },
        },
      },
      { components: { schemas } },
    );
    const input: JsonSchema = skills.a?.input ?? { type: 'object' };
    const definitions = input.$defs as Record<string, { type: string }>;
    const given = input.properties as Record<string, { $ref: string }>;
    const typeOf = (name: string) => definitions[given[name]?.$ref.slice('#/$defs/'.length) ?? '']?.type;
    expect([typeOf('one'), typeOf('two')]).toEqual(['string', 'integer']);
    expect(await findSchemaProblem(input)).toBeNull();
  });

  it('keep the key of their name, so that approved definitions do not change', async () => {
    const { skills } = await read(
      { '/a': post('a', '#/components/schemas/Page«User»') },
      { components: { schemas: { 'Page«User»': { type: 'string' } } } },
    );
    expect(skills.a?.input.$defs).toEqual({ Page_User_: { type: 'string' } });
  });

  it('are left out if they refer to themselves without an end', async () => {
    const schemas = {
      Self: { allOf: [{ $ref: '#/components/schemas/Self' }] },
      Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }] },
      Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'object' }] },
      Tree: { properties: { children: { items: { $ref: '#/components/schemas/Tree' } } } },
    };
    const { skills, reasons } = await read(
      {
        '/a': post('self', '#/components/schemas/Self'),
        '/b': post('pet', '#/components/schemas/Pet'),
        '/c': post('tree', '#/components/schemas/Tree'),
      },
      { components: { schemas } },
    );
    expect(Object.keys(skills)).toEqual(['tree']);
    expect(reasons.self).toBe(
      'Its input schema refers to itself without an end at #/$defs/Self, so no value could be checked.',
    );
    expect(reasons.pet).toContain('without an end');
  });
});

describe('parameters that cannot be sent', () => {
  const query = (name: string, more: object) => ({ name, in: 'query', schema: { type: 'string' }, ...more });
  const parameters = [
    { name: 'session', in: 'cookie', schema: { type: 'string' } },
    query('odd', { style: 'tabDelimited' }),
    query('csv', { schema: undefined, content: { 'text/csv': {} } }),
    query('deep', { style: 'deepObject', schema: { type: 'array' } }),
    query('bare', { schema: undefined }),
    { name: 'Host', in: 'header', schema: { type: 'string' } },
    { name: 'whole', in: 'querystring', content: { 'application/json': {} } },
    query('fine', {}),
    // OpenAPI ignores this one.
    { name: 'Accept', in: 'header', schema: { type: 'string' } },
  ];

  it('are listed if they are optional', async () => {
    const requestBody = { content: { 'text/csv': {} } };
    const { skills, warnings } = await read({
      '/a': { post: { operationId: 'a', parameters, requestBody, responses: {} } },
    });
    expect(Object.keys(skills.a?.input.properties ?? {})).toEqual(['fine']);
    expect(warnings).toEqual([
      'a: It takes session in a cookie; cookies are never sent. This optional parameter is left out.',
      'a: It takes odd in the unsupported style tabDelimited. This optional parameter is left out.',
      'a: It takes csv in a format other than JSON (text/csv). This optional parameter is left out.',
      'a: It takes the list deep in the style deepObject, which OpenAPI does not define. This optional parameter is left out.',
      'a: It takes bare without a schema. This optional parameter is left out.',
      'a: It takes the header Host, which a document cannot set. This optional parameter is left out.',
      'a: It takes whole in an unknown place (querystring). This optional parameter is left out.',
      'a: Its body is neither JSON nor a form of plain fields (text/csv). This optional body is left out.',
    ]);
  });

  it('leave the operation out if they are required', async () => {
    const paths = Object.fromEntries(
      parameters
        .slice(0, 7)
        .map((parameter, i) => [`/${i}`, get(`${i}`, { parameters: [{ ...parameter, required: true }] })]),
    );
    const { skills, reasons } = await read(paths);
    expect(skills).toEqual({});
    expect(Object.keys(reasons)).toHaveLength(7);
  });
});

it('stores plain parameters as earlier releases did, so that approved definitions do not change', async () => {
  const schema = { type: 'string' };
  const parameters = [
    { name: 'id', in: 'path', required: true, schema },
    { name: 'q', in: 'query', schema: { anyOf: [schema, { type: 'null' }] } },
    { name: 'list', in: 'query', style: 'form', explode: false, schema: { type: 'array' } },
    { name: 'X-A', in: 'header', style: 'simple', schema },
  ];
  const { skills } = await read({ '/a/{id}': get('a', { parameters }) });
  expect(skills.a?.request).toEqual({
    method: 'GET',
    path: '/a/{id}',
    parameters: [
      { property: 'id', name: 'id', in: 'path', explode: true },
      { property: 'q', name: 'q', in: 'query', explode: true },
      { property: 'list', name: 'list', in: 'query', explode: false },
      { property: 'X-A', name: 'X-A', in: 'header', explode: true },
    ],
    body: 'none',
    bodyRequired: false,
    scheme: null,
  });
});

it('gives each parameter its own property, whatever their names are', async () => {
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'query_id', in: 'query', schema: { type: 'string' } },
    { name: 'id', in: 'query', schema: { type: 'integer' } },
  ];
  const { skills } = await read({ '/a/{id}': get('a', { parameters }) });
  expect(skills.a?.request?.parameters.map(({ property }) => property)).toEqual([
    'id',
    'query_id',
    'query_query_id',
  ]);
});

describe('credentials of a document', () => {
  const securitySchemes = {
    basic: { type: 'http', scheme: 'Basic' },
    odd: { type: 'apiKey', in: 'header', name: 'api_key' },
    google: { type: 'oauth2', flows: {} },
    googleToo: { type: 'oauth2', flows: {} },
    inUrl: { type: 'apiKey', in: 'query', name: 'key' },
  };
  const schemeOf = async (security: object[]) => {
    const { skills, reasons } = await read(
      { '/a': get('a', { security }) },
      { components: { securitySchemes } },
    );
    return skills.a?.request?.scheme ?? reasons.a;
  };

  it.each<[string, object[], string]>([
    ['HTTP Basic', [{ basic: [] }], 'basic'],
    ['a header with an underscore', [{ odd: [] }], 'odd'],
    ['two that are one header', [{ google: [], googleToo: [] }], 'google'],
    ['one of several', [{ inUrl: [] }, { odd: [] }], 'odd'],
  ])('can be %s', async (_, security, expected) => expect(await schemeOf(security)).toBe(expected));

  it.each<[string, object[]]>([
    ['in a URL', [{ inUrl: [] }]],
    ['in two headers', [{ basic: [], odd: [] }]],
  ])('cannot be %s', async (_, security) =>
    expect(await schemeOf(security)).toContain('not a single header'),
  );

  it('send the user name and password of HTTP Basic encoded', async () => {
    const { schemes } = await readDocument({ openapi: '3.1.0', components: { securitySchemes } }, CONTEXT);
    const headers = (key: string) =>
      buildAuthHeaders({ kind: 'header', ...schemes.basic } as Carrier & { kind: 'header' }, key);
    const encoded = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect(headers('AC123:secret')).toEqual(encoded('AC123:secret'));
    expect(headers('sk_test_$&1')).toEqual(encoded('sk_test_$&1:'));
  });
});

it('keeps an operation whose pattern is not one of JSON Schema, and names the pattern', async () => {
  const schema = { type: 'string', pattern: '(?i)[a-z]+' };
  const fixable = { type: 'string', pattern: String.raw`^\@[\w-.]+$` };
  const parameters = [
    { name: 'a', in: 'query', schema },
    { name: 'b', in: 'query', schema: fixable },
  ];
  const { skills, warnings } = await read({ '/a': get('a', { parameters }) });
  expect(skills.a?.input.properties).toEqual({
    a: { type: 'string' },
    b: { type: 'string', pattern: String.raw`^@[\w\-.]+$` },
  });
  expect(warnings).toEqual([
    'a: The pattern (?i)[a-z]+ is not one of JSON Schema; only the upstream checks it.',
  ]);
});
