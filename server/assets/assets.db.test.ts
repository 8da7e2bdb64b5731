import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForm, type Send, type ServedHarness, serveHarness, upload } from '@/test/support/asset-client';
import { type Harness, startHarness } from '@/test/support/harness';
import { type FakeVercelBlob, startFakeVercelBlob } from '../../fakes/vercel-blob/fake-vercel-blob';

interface AssetFixture {
  harness: Harness;
  served: ServedHarness;
  key: string;
}

const blobApi = process.env.VERCEL_BLOB_API_URL;
const fixtures: AssetFixture[] = [];
let fakeBlob: FakeVercelBlob;
const startFixture = async (env: Record<string, string>) => {
  const harness = await startHarness({
    env: { PUBLIC_ASSETS_PER_MINUTE: '100000', UPLOAD_LIMIT_MIB: '1', ...env },
  });
  fixtures.push({ harness, served: await serveHarness(harness), key: (await harness.person()).key });
};
beforeAll(async () => {
  fakeBlob = await startFakeVercelBlob();
  process.env.VERCEL_BLOB_API_URL = fakeBlob.apiUrl;
  await startFixture({});
  await startFixture({ BLOB_READ_WRITE_TOKEN: fakeBlob.token });
});
afterAll(async () => {
  for (const { served, harness } of fixtures) {
    served.close();
    await harness.close();
  }
  fakeBlob.close();
  if (blobApi === undefined) delete process.env.VERCEL_BLOB_API_URL;
  else process.env.VERCEL_BLOB_API_URL = blobApi;
});

const onDisk = () => fixtures[0] as AssetFixture;
const onVercel = () => fixtures[1] as AssetFixture;
const adapters: [string, () => AssetFixture, Send][] = [
  ['on Node, before Next', onDisk, (path, init) => onDisk().served.onNode(path, init)],
  ['as a Next route', onDisk, (path, init) => onDisk().served.throughNext(path, init)],
  ['in Vercel Blob', onVercel, (path, init) => onVercel().served.onNode(path, init)],
];
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(adapters)('assets %s', (_, fixture, ask) => {
  const auth = () => ({ authorization: `Bearer ${fixture().key}` });

  it('an upload is returned byte for byte, with its hash and detected type @C4', async () => {
    const png = await readFile('server/assets/samples/logo.png');
    const answer = await upload(
      ask,
      fixture().key,
      buildForm(new Uint8Array(png), { name: 'l.txt', type: 'text/plain' }),
    );
    const result = await answer.json();
    expect([answer.status, result]).toEqual([
      200,
      {
        asset_id: expect.stringMatching(/^asset_[0-9a-z]{42}$/),
        url: `http://gateway.test/files/${result.asset_id}/l.txt`,
        page_url: `http://gateway.test/assets/${result.asset_id}`,
        content_type: 'image/png',
        size_bytes: png.length,
      },
    ]);
    const meta = await (await ask(`/v1/assets/${result.asset_id}/meta`)).json();
    expect(meta).toMatchObject({
      asset_id: result.asset_id,
      content_type: 'image/png',
      size_bytes: png.length,
      tool: null,
      skill: null,
      filename: 'l.txt',
      sha256: sha256(png),
    });
    const bytes = await ask(`/v1/assets/${result.asset_id}`);
    expect(sha256(new Uint8Array(await bytes.arrayBuffer()))).toBe(sha256(png));
  });

  it('filename and content_type may be form fields before or after the file', async () => {
    const before = buildForm('a,b\n1,2\n', {
      fields: { filename: 'x.csv', content_type: 'text/csv; charset=utf-8' },
    });
    const behind = buildForm('a,b\n1,2\n');
    behind.set('filename', 'x.csv');
    behind.set('content_type', 'text/csv');
    for (const body of [before, behind]) {
      const result = await (await upload(ask, fixture().key, body)).json();
      expect(result).toMatchObject({ content_type: 'text/csv', size_bytes: 8 });
      expect(result.url.endsWith('/x.csv')).toBe(true);
    }
  });

  it.each([
    ['a"b.txt', 'a_b.txt'],
    ['a\nb.txt', 'ab.txt'],
    ['100%.txt', '100_.txt'],
    ['e\u0301.txt', 'é.txt'],
  ])('the name %j, which a form encodes, is stored as %j', async (name, stored) => {
    const result = await (await upload(ask, fixture().key, buildForm('x', { name }))).json();
    expect(decodeURIComponent(result.url.split('/').at(-1))).toBe(stored);
  });

  it('text in UTF-16 has its declared type, and is no recording', async () => {
    for (const text of ['a\tb\r\n1\t2\r\n', 'Łukasz;1\r\n'.repeat(400)]) {
      const body = buildForm(Uint8Array.from(Buffer.from(`\uFEFF${text}`, 'utf16le')), {
        name: 'a.csv',
        type: 'text/csv',
      });
      expect(await (await upload(ask, fixture().key, body)).json()).toMatchObject({
        content_type: 'text/csv',
      });
    }
  });

  it('an empty file is accepted', async () => {
    const result = await (await upload(ask, fixture().key, buildForm(''))).json();
    expect(result.size_bytes).toBe(0);
    const bytes = await ask(`/v1/assets/${result.asset_id}`);
    expect([bytes.status, bytes.headers.get('content-length'), await bytes.text()]).toEqual([200, '0', '']);
    const range = await ask(`/v1/assets/${result.asset_id}`, { headers: { range: 'bytes=0-' } });
    expect([range.status, range.headers.get('content-range')]).toEqual([416, 'bytes */0']);
  });

  it.each(['/v1/assets/ID', '/files/ID/page.html'])(
    'HTML declared as an image is served as an inert download at %s @C1',
    async (template) => {
      const html = '<script>alert(1)</script>';
      const result = await (
        await upload(ask, fixture().key, buildForm(html, { name: 'page.html', type: 'image/png' }))
      ).json();
      expect(result.content_type).toBe('application/octet-stream');
      const answer = await ask(template.replace('ID', result.asset_id));
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="page.html"; filename*=UTF-8''page.html`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'cross-origin',
        'accept-ranges': 'bytes',
        etag: `"sha256-${sha256(html)}"`,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': String(html.length),
      });
      expect(await answer.text()).toBe(html);
    },
  );

  it.each([
    ['text/html', 'x.html'],
    ['image/svg+xml', 'x.svg'],
    ['application/xhtml+xml', 'x.xhtml'],
    ['text/xml', 'x.xml'],
    ['text/javascript', 'x.js'],
    ['application/xml', 'x.xsl'],
    ['text/html; charset=utf-7', 'x'],
    ['TEXT/HTML', 'X.HTML'],
  ])('%s is never served with its own type @C1', async (type, name) => {
    const { asset_id: id } = await (
      await upload(ask, fixture().key, buildForm('<x/>', { name, type }))
    ).json();
    const answer = await ask(`/files/${id}/${name}`);
    expect([
      answer.headers.get('content-type'),
      answer.headers.get('content-disposition')?.slice(0, 10),
    ]).toEqual(['application/octet-stream', 'attachment']);
  });

  it('an image is served with its true type at its plain URL, and as unknown type by the API', async () => {
    for (const [path, type, disposition] of [
      ['/files/asset_sample_photo/photo.jpg', 'image/jpeg', 'inline'],
      ['/files/asset_sample_sales/sales.csv', 'text/plain; charset=utf-8', 'inline'],
      ['/files/asset_sample_report/report.pdf', 'application/pdf', 'attachment'],
      ['/v1/assets/asset_sample_photo', 'application/octet-stream', 'attachment'],
    ]) {
      const answer = await ask(path as string);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.headers.get('content-disposition')?.split(';')[0]).toBe(disposition);
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    }
  });

  it.each([
    ['bytes=0-0', 206, 'bytes 0-0/10', '0'],
    ['bytes=2-4', 206, 'bytes 2-4/10', '234'],
    ['bytes=7-', 206, 'bytes 7-9/10', '789'],
    ['bytes=-3', 206, 'bytes 7-9/10', '789'],
    ['bytes=-99', 206, 'bytes 0-9/10', '0123456789'],
    ['bytes=5-99999999999', 206, 'bytes 5-9/10', '56789'],
    ['bytes=10-', 416, 'bytes */10', null],
    ['bytes=99-100', 416, 'bytes */10', null],
    ['bytes=-0', 416, 'bytes */10', null],
    ['bytes=4-2', 200, null, '0123456789'],
    ['bytes=a-b', 200, null, '0123456789'],
    ['bytes=-', 200, null, '0123456789'],
    ['lines=1-2', 200, null, '0123456789'],
    ['bytes=99999999999999999999999-', 200, null, '0123456789'],
    ['bytes=0-1,3-4', 200, null, '0123456789'],
    [`bytes=${Array.from({ length: 500 }, (_, i) => `0-${i}`).join(',')}`, 200, null, '0123456789'],
  ])('Range %s @C7', async (range, status, contentRange, text) => {
    const { asset_id: id } = await (await upload(ask, fixture().key, buildForm('0123456789'))).json();
    const answer = await ask(`/v1/assets/${id}`, { headers: { range } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
    if (text !== null) {
      expect(answer.headers.get('content-length')).toBe(String(text.length));
      expect(await answer.text()).toBe(text);
    } else expect(await answer.json()).toMatchObject({ error: { code: 'RANGE_NOT_SATISFIABLE' } });
  });

  it('conditional requests and HEAD @C7', async () => {
    const { asset_id: id } = await (await upload(ask, fixture().key, buildForm('0123456789'))).json();
    const path = `/v1/assets/${id}`;
    const etag = `"sha256-${sha256('0123456789')}"`;
    const status = async (headers: Record<string, string>) => (await ask(path, { headers })).status;
    expect(await status({ 'if-none-match': etag })).toBe(304);
    expect(await status({ 'if-none-match': `"x", W/${etag}` })).toBe(304);
    expect(await status({ 'if-none-match': etag, range: 'bytes=0-1' })).toBe(304);
    expect(await status({ 'if-none-match': '"other"' })).toBe(200);
    expect(await status({ range: 'bytes=0-1', 'if-range': etag })).toBe(206);
    expect(await status({ range: 'bytes=0-1', 'if-range': '"other"' })).toBe(200);
    expect(await status({ range: 'bytes=0-1', 'if-range': 'Sat, 21 Nov 2026 00:00:00 GMT' })).toBe(200);
    const head = await ask(path, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
  });

  it.each([
    ['nope', 400],
    ['asset_%2e%2e%2fetc%2fpasswd', 400],
    ['asset_..', 400],
    [`asset_${'0'.repeat(42)}`, 404],
    ['asset_sample_nothing', 404],
    ['asset_sample_constructor', 404],
  ])('the id %s is %i @C3', async (id, status) => {
    for (const path of [`/v1/assets/${id}`, `/v1/assets/${id}/meta`]) {
      const answer = await ask(path);
      expect([answer.status, (await answer.json()).status]).toEqual([status, 'error']);
    }
    expect((await ask(`/files/${id}/x`)).status).toBe(404);
  });

  it.each([
    ['/files/asset_sample_logo', 404],
    ['/files/asset_sample_logo/', 404],
    ['/files/asset_sample_logo/a/b', 404],
    ['/files/asset_sample_logo/anything', 200],
    ['/files/../v1/tools', 200],
    ['/files/asset_sample_logo/~thumbnail.webp', 404],
  ])('%s is %i @C3', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });

  it('other methods are 405, a preflight is 204', async () => {
    const posted = await ask('/files/asset_sample_logo/x', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await ask('/v1/assets/asset_sample_logo', { method: 'PUT' })).status).toBe(405);
    expect((await ask('/v1/assets/upload', { method: 'OPTIONS' })).status).toBe(204);
  });

  it('upload needs a key', async () => {
    const answer = await ask('/v1/assets/upload', { method: 'POST', body: buildForm('x') });
    expect([answer.status, (await answer.json()).error.code]).toEqual([401, 'AUTH_REQUIRED']);
  });

  it.each([
    ['JSON', '{}', 'application/json', 415, 'UNSUPPORTED_MEDIA_TYPE', undefined],
    ['no boundary', 'x', 'multipart/form-data', 400, 'INVALID_INPUT', 'Content-Type'],
    [
      'a body cut off',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      'multipart/form-data; boundary=b',
      400,
      'INVALID_INPUT',
      'body',
    ],
    [
      'a body that is not multipart',
      'hello',
      'multipart/form-data; boundary=b',
      400,
      'INVALID_INPUT',
      undefined,
    ],
    ['an empty body', '', 'multipart/form-data; boundary=b', 400, 'INVALID_INPUT', undefined],
  ])('%s is refused', async (_name, body, type, status, code, path) => {
    const answer = await ask('/v1/assets/upload', {
      method: 'POST',
      headers: { ...auth(), 'content-type': type },
      body,
    });
    const { error } = await answer.json();
    expect([answer.status, error.code]).toEqual([status, code]);
    if (path) expect(error.fields[0].path).toBe(path);
  });

  it('parts without a name are refused before they use much CPU', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n';
    const body = `${head}${'--b\r\n\r\n\r\n'.repeat(20_000)}--b--\r\n`;
    const answer = await ask('/v1/assets/upload', {
      method: 'POST',
      headers: { ...auth(), 'content-type': 'multipart/form-data; boundary=b' },
      body,
    });
    const { error } = await answer.json();
    expect([answer.status, error.code, error.fields[0].path]).toEqual([400, 'INVALID_INPUT', 'body']);
  });

  const wrong: [string, (body: FormData) => void, string][] = [
    ['no file', (body) => body.delete('file'), 'file'],
    ['two files', (body) => body.append('file', new Blob(['b']), 'b'), 'file'],
    ['a second file of another name', (body) => body.append('more', new Blob(['b']), 'b'), 'file'],
    [
      'a file of another name',
      (body) => {
        body.delete('file');
        body.set('picture', new Blob(['b']), 'b');
      },
      'file',
    ],
    [
      'too many fields',
      (body) => {
        for (let i = 0; i < 11; i++) body.append(`f${i}`, 'x');
      },
      'body',
    ],
    ['a field that is too long', (body) => body.set('filename', 'x'.repeat(5000)), 'filename'],
  ];
  it.each(wrong)('%s is 400 and names the field', async (_name, spoil, path) => {
    const body = buildForm('x');
    spoil(body);
    const answer = await upload(ask, fixture().key, body);
    const { error } = await answer.json();
    expect([answer.status, error.code, error.fields?.[0]?.path]).toEqual([400, 'INVALID_INPUT', path]);
  });

  it('a file over the limit is 413, with or without a declared length, and one at the limit is accepted @C6', async () => {
    const limit = 1024 * 1024;
    expect((await upload(ask, fixture().key, buildForm(new Uint8Array(limit)))).status).toBe(200);
    const over = await upload(ask, fixture().key, buildForm(new Uint8Array(limit + 1)));
    expect([over.status, (await over.json()).error]).toMatchObject([
      413,
      { code: 'PAYLOAD_TOO_LARGE', fields: [{ path: 'file' }] },
    ]);
    const announced = await upload(ask, fixture().key, buildForm(new Uint8Array(3 * limit)));
    expect(announced.status).toBe(413);
  });

  it.each([
    ['"; filename=evil.html; x="', /^[^"\r\n]*"[^"]*"; filename\*=UTF-8''[^"\r\n;]*$/],
    ['a\r\nX-Evil: 1.txt', /./],
    ['../../etc/passwd', /filename="passwd"/],
    ['..\\..\\boot.ini', /filename="boot.ini"/],
    ['\u202egnp.exe', /filename="gnp.exe"/],
    ['.htaccess', /filename="htaccess"/],
    ['~thumbnail.webp', /filename="thumbnail.webp"/],
    ['r\u00e9port.pdf', /filename="r_port.pdf"; filename\*=UTF-8''r%C3%A9port.pdf$/],
    [`${'n'.repeat(3000)}.png`, /filename="n{116}\.png"/],
    ['\u0000\u0001', /filename="file"/],
  ])('the file name %j cannot inject a header @C2', async (filename, wanted) => {
    const { asset_id: id, url } = await (
      await upload(ask, fixture().key, buildForm('x', { fields: { filename } }))
    ).json();
    const answer = await ask(new URL(url).pathname);
    expect(answer.headers.get('content-disposition')).toMatch(wanted);
    expect(answer.headers.get('x-evil')).toBeNull();
    const { filename: kept } = await (await ask(`/v1/assets/${id}/meta`)).json();
    expect(kept).toMatch(/^[^\p{Cc}/\\"]+$/u);
  });
});

it('a gateway with a Vercel Blob token stores files only there', async () => {
  const { served, key, harness } = onVercel();
  const { asset_id: id } = await (await upload(served.onNode, key, buildForm('far away'))).json();
  const keys = [...fakeBlob.blobs.keys()].filter((stored) => stored.includes(id));
  expect(keys).toHaveLength(1);
  expect(await readdir(harness.runtime.settings.dataDir)).not.toContain('blobs');
});
