import { describe, expect, it } from 'vitest';
import { InputError } from '../../core/errors/skill-error';
import { readDocument } from './read-openapi';
import { buildRequest } from './run-operation';

const SERVER = 'https://api.example.com/v1';
const LIST = ['blue', 'black'];
const OBJECT = { R: 100, G: 200 };

/** Imports an operation with one parameter `color` and builds its request for a value. */
async function send(parameter: object, value: unknown) {
  const isPath = 'in' in parameter && parameter.in === 'path';
  const given = { name: 'color', required: isPath, schema: {}, ...parameter };
  const path = isPath ? '/a/{color}/b' : '/a';
  const { skills, leftOut } = await readDocument(
    { openapi: '3.1.0', paths: { [path]: { get: { operationId: 'a', parameters: [given] } } } },
    { url: null, server: SERVER },
  );
  const request = skills[0]?.request;
  if (!request) throw new Error(leftOut[0]?.reason);
  const { url, init } = buildRequest(new URL(SERVER), request, { color: value });
  if (isPath) return url.pathname.slice('/v1/a/'.length, -'/b'.length);
  return 'in' in parameter && parameter.in === 'header' ? init.headers.color : url.search.slice(1);
}

const object = { schema: { type: 'object' } };
const list = { schema: { type: 'array' } };

describe('a value is sent in the style of its parameter', () => {
  it.each<[object, unknown, string | undefined]>([
    [{ in: 'path' }, 'blue', 'blue'],
    [{ in: 'path', ...list }, LIST, 'blue,black'],
    [{ in: 'path', ...object }, OBJECT, 'R,100,G,200'],
    [{ in: 'path', ...object, explode: true }, OBJECT, 'R=100,G=200'],
    [{ in: 'path', style: 'label' }, 'blue', '.blue'],
    [{ in: 'path', style: 'label', ...list }, LIST, '.blue,black'],
    [{ in: 'path', style: 'label', ...list, explode: true }, LIST, '.blue.black'],
    [{ in: 'path', style: 'label', ...object }, OBJECT, '.R,100,G,200'],
    [{ in: 'path', style: 'label', ...object, explode: true }, OBJECT, '.R=100.G=200'],
    [{ in: 'path', style: 'matrix' }, 'blue', ';color=blue'],
    [{ in: 'path', style: 'matrix' }, '', ';color'],
    [{ in: 'path', style: 'matrix', ...list }, LIST, ';color=blue,black'],
    [{ in: 'path', style: 'matrix', ...list, explode: true }, LIST, ';color=blue;color=black'],
    [{ in: 'path', style: 'matrix', ...object }, OBJECT, ';color=R,100,G,200'],
    [{ in: 'path', style: 'matrix', ...object, explode: true }, OBJECT, ';R=100;G=200'],
    [{ in: 'path', ...list }, ['red', 'a,b'], 'red,a%2Cb'],
    [{ in: 'path' }, 'a/b?c', 'a%2Fb%3Fc'],
    [
      { in: 'path', schema: undefined, content: { 'application/json': {} } },
      { a: '/' },
      '%7B%22a%22%3A%22%2F%22%7D',
    ],
    [{ in: 'query' }, 'blue', 'color=blue'],
    [{ in: 'query' }, '', 'color='],
    [{ in: 'query' }, 'a&b=c+d e', 'color=a%26b%3Dc%2Bd%20e'],
    [{ in: 'query', ...list }, LIST, 'color=blue&color=black'],
    [{ in: 'query', ...list, explode: false }, LIST, 'color=blue,black'],
    [{ in: 'query', ...list, explode: false }, ['red', 'a,b'], 'color=red,a%2Cb'],
    [{ in: 'query', ...list, explode: false }, [], ''],
    [{ in: 'query', ...list, explode: false }, [''], 'color='],
    [{ in: 'query', ...list }, [], ''],
    [{ in: 'query', ...object }, OBJECT, 'R=100&G=200'],
    [{ in: 'query', ...object, explode: false }, OBJECT, 'color=R,100,G,200'],
    [{ in: 'query', ...object }, { R: null, G: 1 }, 'G=1'],
    [{ in: 'query', ...object }, {}, ''],
    [{ in: 'query', style: 'spaceDelimited', ...list }, LIST, 'color=blue%20black'],
    [{ in: 'query', style: 'spaceDelimited', ...object }, OBJECT, 'color=R%20100%20G%20200'],
    [{ in: 'query', style: 'pipeDelimited', ...list }, LIST, 'color=blue%7Cblack'],
    [{ in: 'query', style: 'pipeDelimited', ...list, explode: true }, LIST, 'color=blue&color=black'],
    [{ in: 'query', style: 'pipeDelimited', ...object }, OBJECT, 'color=R%7C100%7CG%7C200'],
    [
      { in: 'query', style: 'deepObject', ...object, explode: true },
      OBJECT,
      'color%5BR%5D=100&color%5BG%5D=200',
    ],
    [{ in: 'query', style: 'deepObject', ...object }, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200'],
    [{ in: 'query', style: 'deepObject' }, 5, 'color=5'],
    [
      { in: 'query', schema: undefined, content: { 'application/json': {} } },
      { a: [1] },
      'color=%7B%22a%22%3A%5B1%5D%7D',
    ],
    [{ in: 'query', allowReserved: true }, 'a/b?c:d@e&f=g+h#i', 'color=a/b?c:d@e%26f=g%2Bh%23i'],
    [{ in: 'query', allowReserved: true, ...list, explode: false }, ['a/b', 'c,d'], 'color=a/b,c%2Cd'],
    [{ in: 'query' }, null, ''],
    [{ in: 'header' }, 'a, b', 'a, b'],
    [{ in: 'header', ...list }, LIST, 'blue,black'],
    [{ in: 'header', ...list }, [], undefined],
    [{ in: 'header', ...object }, OBJECT, 'R,100,G,200'],
    [{ in: 'header', ...object, explode: true }, OBJECT, 'R=100,G=200'],
    [
      { in: 'header', schema: undefined, content: { 'application/json': {} } },
      { a: 'ü😀' },
      '{"a":"\\u00fc\\ud83d\\ude00"}',
    ],
  ])('%j: %j', async (parameter, value, sent) => {
    expect(await send(parameter, value)).toBe(sent);
  });
});

describe('a value that its place cannot keep is refused, by the name of the field', () => {
  it.each<[object, unknown, string]>([
    [{ in: 'path' }, '', 'input.color: '],
    [{ in: 'path' }, '..', 'input.color: '],
    [{ in: 'path', style: 'label' }, '.', 'input.color: '],
    [{ in: 'path', style: 'label' }, '', 'input.color: '],
    [{ in: 'path', ...list }, [], 'input.color: '],
    [{ in: 'path', style: 'label', ...list, explode: true }, ['a.b', 'c'], 'input.color: an item has a .'],
    [{ in: 'path', style: 'label', ...object, explode: true }, { a: 1.5 }, 'input.color: an item has a .'],
    [{ in: 'query', style: 'deepObject', ...object }, { 'a]b': 1 }, 'input.color: a name has a [ or ]'],
    [{ in: 'path' }, null, 'input.color: null cannot be sent here.'],
    [{ in: 'path' }, { a: 1 }, 'input.color: an object cannot be sent here.'],
    [{ in: 'query', ...list }, ['a', null], 'input.color.1: null cannot be sent here.'],
    [{ in: 'query', ...list }, [[1]], 'input.color.0: a list cannot be sent here.'],
    [
      { in: 'query', style: 'deepObject', ...object },
      { a: { b: 1 } },
      'input.color.a: an object cannot be sent here.',
    ],
    [{ in: 'query', style: 'deepObject' }, [1], 'input.color: a list cannot be sent here.'],
    [{ in: 'query', style: 'pipeDelimited', ...list }, ['a|b'], 'input.color: an item has a |'],
    [{ in: 'query', style: 'spaceDelimited', ...list }, ['a b'], 'input.color: an item has a space'],
    [{ in: 'header', ...list }, ['red', 'a,b'], 'input.color: an item of a list in a header has a comma'],
    [{ in: 'header', ...list }, [' a'], 'input.color: an item of a list in a header'],
    [{ in: 'header', ...list }, ['a', ''], 'input.color: an item of a list in a header'],
    [{ in: 'header', ...object, explode: true }, { 'a=b': 1 }, 'input.color: a name has a ='],
    [{ in: 'header' }, ' a', 'input.color: has a space at its ends'],
    [{ in: 'header' }, 'ü', 'input.color: only printable ASCII'],
    [{ in: 'header' }, 'a\r\nb: c', 'input.color: only printable ASCII'],
    [{ in: 'path' }, 'a\ud800', 'input.color: has half of a surrogate pair'],
    [{ in: 'query' }, '\udc00', 'input.color: has half of a surrogate pair'],
    [{ in: 'query', ...list }, ['a', '\ud800'], 'input.color.1: has half of a surrogate pair'],
    [{ in: 'query', ...object }, { '\ud800': 1 }, 'input.color: has half of a surrogate pair'],
    [{ in: 'header' }, '\ud800', 'input.color: has half of a surrogate pair'],
  ])('%j: %j', async (parameter, value, message) => {
    const error = await send(parameter, value).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toContain(message);
  });

  it('in a body, too', () => {
    const request = {
      method: 'POST',
      path: '/a',
      parameters: [],
      body: 'fields' as const,
      bodyRequired: true,
      scheme: null,
    };
    expect(() => buildRequest(new URL(SERVER), request, { a: [{ b: '\ud800' }] })).toThrow(
      'input.a.0.b: has half',
    );
    expect(buildRequest(new URL(SERVER), request, { a: '😀' }).init.body).toBe('{"a":"😀"}');
  });

  it('and lets no values together lead to another path', () => {
    const parameter = { in: 'path' as const, explode: true };
    const request = {
      method: 'GET',
      path: '/a/{x}{y}/b',
      parameters: [
        { ...parameter, name: 'x', property: 'x' },
        { ...parameter, name: 'y', property: 'y' },
      ],
      body: 'none' as const,
      bodyRequired: false,
      scheme: null,
    };
    expect(buildRequest(new URL(SERVER), request, { x: 'a', y: 'b' }).url.pathname).toBe('/v1/a/ab/b');
    const dots = { ...request, path: '/a/.{x}/b' };
    expect(() => buildRequest(new URL(SERVER), dots, { x: '.' })).toThrow(InputError);
    expect(() =>
      buildRequest(new URL(SERVER), { ...request, path: '/a/{x}{y}/b' }, { x: '.', y: '.' }),
    ).toThrow(InputError);
  });
});

describe('a form', () => {
  const build = async (input: Record<string, unknown>, encoding: object = {}, schema: object = {}) => {
    const properties = { a: {}, items: {}, expand: {} };
    const media = { schema: { type: 'object', properties, ...schema }, encoding };
    const content = { 'application/x-www-form-urlencoded': media };
    const post = { operationId: 'a', requestBody: { content } };
    const document = { openapi: '3.1.0', paths: { '/a': { post } } };
    const { skills } = await readDocument(document, { url: null, server: SERVER });
    const request = skills[0]?.request;
    if (!request) throw new Error('There is no skill');
    const { init } = buildRequest(new URL(SERVER), request, input);
    return { type: init.headers['content-type'], body: init.body };
  };

  it('is sent as the document says, for an optional body too', async () => {
    const encoding = {
      items: { style: 'deepObject', explode: true },
      expand: { style: 'form', explode: false },
    };
    const items = [{ price: 'p_1', tax: { rate: 0.2 }, none: null }, { price: 'ü&' }];
    const { type, body } = await build({ a: 'x y', items, expand: ['b', 'c,d'] }, encoding);
    expect(type).toBe('application/x-www-form-urlencoded');
    expect(body).toBe(
      'a=x%20y&items%5B0%5D%5Bprice%5D=p_1&items%5B0%5D%5Btax%5D%5Brate%5D=0.2&items%5B1%5D%5Bprice%5D=%C3%BC%26&expand=b,c%2Cd',
    );
    expect([...new URLSearchParams(String(body))]).toEqual([
      ['a', 'x y'],
      ['items[0][price]', 'p_1'],
      ['items[0][tax][rate]', '0.2'],
      ['items[1][price]', 'ü&'],
      ['expand', 'b,c,d'],
    ]);
  });

  it('repeats lists and sends objects as JSON, unless the document says otherwise', async () => {
    const { body } = await build({ a: ['1', '2'], items: { b: [1] }, expand: null });
    expect([...new URLSearchParams(String(body))]).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['items', '{"b":[1]}'],
    ]);
  });

  it('without fields is no body', async () => {
    expect(await build({}, {}, { properties: {} })).toEqual({ type: undefined, body: undefined });
    expect(await build({})).toEqual({ type: undefined, body: undefined });
  });

  it('refuses names that would mean another field', async () => {
    const encoding = { items: { style: 'deepObject' } };
    await expect(build({ items: { 'a][b': 1 } }, encoding)).rejects.toThrow(/^input\.items: a name has a \[/);
  });
});

it('sends the fixed query of a path, and not its fragment', async () => {
  const pet = { in: 'query', name: 'pet', schema: {} };
  const id = { in: 'path', name: 'id', required: true, schema: {} };
  const paths = {
    '/a/{id}#create': { get: { operationId: 'fragment', parameters: [id] } },
    '/a?beta=true#b': { get: { operationId: 'query', parameters: [pet] } },
    '/a?of={id}': { get: { operationId: 'variable', parameters: [id] } },
  };
  const { skills, leftOut } = await readDocument({ openapi: '3.1.0', paths }, { url: null, server: SERVER });
  const urls = skills.map(({ upstream, request }) => {
    if (!request) throw new Error('No request');
    return [upstream, buildRequest(new URL(SERVER), request, { id: 'x?y#z', pet: 'cat' }).url.href];
  });
  expect(Object.fromEntries(urls)).toEqual({
    fragment: `${SERVER}/a/x%3Fy%23z`,
    query: `${SERVER}/a?beta=true&pet=cat`,
  });
  expect(leftOut).toEqual([{ upstream: 'variable', reason: 'The query in its path is not a fixed one.' }]);
});
