import { describe, expect, it } from 'vitest';
import { BufferedResponse, readHeader } from './buffered-response';
import { readUpTo } from './read-up-to';

const create = (text = '{"a":1}', status = 200) =>
  new BufferedResponse({
    status,
    statusText: 'Fine',
    headers: [
      ['content-type', 'application/json'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ],
    url: 'https://example.com/x',
    redirected: true,
    bytes: new TextEncoder().encode(text),
  });

describe('a buffered response', () => {
  it('is a Response with the status, address and headers it was given', () => {
    const response = create();
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({
      status: 200,
      ok: true,
      statusText: 'Fine',
      url: 'https://example.com/x',
      redirected: true,
    });
    expect(response.headers.get('content-type')).toBe('application/json');
    for (const name of ['content-type', 'set-cookie', 'location'])
      expect(readHeader(create(), name)).toBe(response.headers.get(name));
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(create('', 999)).toMatchObject({ status: 999, ok: false });
  });

  it.each<[string, (response: Response) => Promise<unknown>, unknown]>([
    ['text', (it) => it.text(), '{"a":1}'],
    ['json', (it) => it.json(), { a: 1 }],
    ['arrayBuffer', async (it) => Buffer.from(await it.arrayBuffer()).toString(), '{"a":1}'],
    ['blob', async (it) => await (await it.blob()).text(), '{"a":1}'],
    ['its stream', async (it) => await new Response(it.body).text(), '{"a":1}'],
    ['a clone', (it) => it.clone().text(), '{"a":1}'],
    ['readUpTo', async (it) => Buffer.from(await readUpTo(it, 3)).toString(), '{"a'],
  ])('can be read by %s', async (_, read, expected) => {
    expect(await read(create())).toEqual(expected);
  });

  it.each<[string, (response: Response) => Promise<unknown>]>([
    ['text', (it) => it.text()],
    ['arrayBuffer', (it) => it.arrayBuffer()],
    ['readUpTo', (it) => readUpTo(it, 10)],
    ['its stream', (it) => new Response(it.body).text()],
  ])('cannot be read again after %s', async (_, read) => {
    const response = create();
    expect(response.bodyUsed).toBe(false);
    await read(response);
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
    await expect(response.json()).rejects.toThrow(TypeError);
    await expect(response.arrayBuffer()).rejects.toThrow(TypeError);
    expect(() => response.clone()).toThrow(TypeError);
  });

  it('decodes a byte order mark as fetch does, and rejects what is not JSON', async () => {
    expect(await create('\ufeff{}').json()).toEqual({});
    await expect(create('{').json()).rejects.toThrow(SyntaxError);
  });

  it('has no body if its status has none', () => {
    expect(create('', 204).body).toBeNull();
    expect(create('', 304).body).toBeNull();
  });
});
