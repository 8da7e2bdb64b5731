import { readFileSync } from 'node:fs';
import type { APIRequestContext, Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, test } from './support/fixtures';

let key = '';
test.beforeAll(async () => {
  key = (await createPerson('assets', 0)).key;
});

interface Uploaded {
  asset_id: string;
  url: string;
  page_url: string;
  content_type: string;
}

async function upload(
  request: APIRequestContext,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<Uploaded> {
  const answer = await request.post('/v1/assets/upload', {
    headers: { Authorization: `Bearer ${key}` },
    multipart: { file },
  });
  expect(answer.status()).toBe(200);
  return await answer.json();
}

/**
 * A script that reports its execution through the window's title, a dialog, and a request to /ran.
 */
const SIGN = 'document.title="ran";try{alert("ran")}catch{};fetch("/ran")';
const sample = (name: string) => readFileSync(`server/assets/samples/${name}`);
const text = (content: string) => Buffer.from(content);
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99" onload='${SIGN}'><script>${SIGN}</script><rect width="99" height="99"/></svg>`;
const HTML = `<!doctype html><html><body onload='${SIGN}'><script>${SIGN}</script><img src=x onerror='${SIGN}'><meta http-equiv="refresh" content="0;url=/ran"></body></html>`;
const XHTML = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${SIGN}</script></html>`;
const XSLT = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><x><script xmlns="http://www.w3.org/1999/xhtml">${SIGN}</script></x>`;

/** [name, declared type, bytes] */
const HOSTILE: [string, string, Buffer][] = [
  ['page.html', 'text/html', text(HTML)],
  ['page.png', 'image/png', text(HTML)],
  ['page.txt', 'text/plain', text(HTML)],
  ['page', 'text/html;charset=utf-7', text(HTML)],
  ['page.xhtml', 'application/xhtml+xml', text(XHTML)],
  ['page.xml', 'text/xml', text(XSLT)],
  ['picture.svg', 'image/svg+xml', text(SVG)],
  ['picture.svg.png', 'image/png', text(SVG)],
  ['script.js', 'text/javascript', text(SIGN)],
  ['data.json', 'application/json', text(`{"a":"${HTML.replaceAll('"', "'")}"}`)],
  ['readme.md', 'text/markdown', text(`# x\n${HTML}\n[y](javascript:${SIGN})`)],
  ['page.pdf', 'application/pdf', Buffer.concat([text('%PDF-1.4\n'), text(HTML)])],
  // Polyglots: a valid image header followed by an HTML page.
  ['gif.html', 'text/html', Buffer.concat([text('GIF89a/*'), text(HTML), text('*/=1;'), text(SIGN)])],
  ['gif.js', 'text/javascript', Buffer.concat([text('GIF89a=1;'), text(SIGN)])],
  ['png.html', 'text/html', Buffer.concat([sample('logo.png'), text(HTML)])],
  ['jpg.svg', 'image/svg+xml', Buffer.concat([sample('photo.jpg'), text(SVG)])],
  ['mp4.html', 'text/html', Buffer.concat([sample('clip.mp4'), text(HTML)])],
];

/** Opens a URL as a person would, and asserts that no script ran. */
async function openAndWatch(page: Page, address: string): Promise<void> {
  const ran: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(`dialog on ${address}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/ran') ran.push(`request from ${address}`);
  });
  // A download has no page, so goto fails.
  await page.goto(address, { waitUntil: 'load' }).catch((error: Error) => {
    if (!/Download is starting|ERR_ABORTED/.test(error.message)) throw error;
  });
  // Scripts start before the load event. In a sandbox, our callbacks would not run either.
  expect(await page.title(), address).not.toBe('ran');
  expect(ran, address).toEqual([]);
}

for (const [name, mimeType, buffer] of HOSTILE)
  test(`${name} as ${mimeType} executes no script at any URL that serves it @C1 @C5`, async ({
    context,
    request,
  }) => {
    const { asset_id: id, url, page_url: pageUrl } = await upload(request, { name, mimeType, buffer });
    for (const address of [
      `/v1/assets/${id}`,
      new URL(url).pathname,
      `/files/${id}/index.html`,
      `/files/${id}/~thumbnail.webp`,
      new URL(pageUrl).pathname,
    ]) {
      const page = await context.newPage();
      await openAndWatch(page, address);
      await page.close();
    }
  });

test('the check detects a script: the same page served as HTML', async ({ page }) => {
  await page.route('**/control', (route) => route.fulfill({ contentType: 'text/html', body: HTML }));
  await expect(openAndWatch(page, '/control')).rejects.toThrow();
});

test('a gateway page that loads a hostile file as script, style or frame executes none of it @C1', async ({
  page,
  request,
}) => {
  const script: (typeof HOSTILE)[number] = ['s.js', 'text/javascript', text(SIGN)];
  const sources: string[] = [];
  for (const [name, mimeType, buffer] of [...HOSTILE.slice(0, 3), script]) {
    const { asset_id: id } = await upload(request, { name, mimeType, buffer });
    sources.push(`/v1/assets/${id}`, `/files/${id}/x.js`);
  }
  await page.goto('/');
  // A download in a frame fires no event in the page, so wait for the responses.
  const answers = sources.flatMap((source) =>
    ['script', 'document'].map((type) =>
      page.waitForResponse(
        (response) =>
          new URL(response.url()).pathname === source && response.request().resourceType() === type,
      ),
    ),
  );
  await page.evaluate((addresses) => {
    for (const src of addresses)
      for (const tag of ['script', 'iframe'] as const)
        document.body.append(Object.assign(document.createElement(tag), { src }));
  }, sources);
  await Promise.all(answers);
  await page.evaluate(() => fetch('/healthz'));
  expect(await page.title()).not.toBe('ran');
});

const SHOWN: [string, string, (page: Page) => Promise<void>][] = [
  [
    'photo',
    'image/jpeg',
    async (page) => {
      const width = () =>
        page
          .getByRole('img', { name: 'photo.jpg' })
          .evaluate((image: HTMLImageElement) => image.naturalWidth);
      await expect.poll(width).toBe(960);
    },
  ],
  [
    'sales',
    'text/csv',
    async (page) => expect(page.getByLabel('Text', { exact: true })).toContainText('date,region,product'),
  ],
  ['report', 'application/pdf', async (page) => expect(page.getByText('A PDF document')).toBeVisible()],
  ['tone', 'audio/mpeg', async (page) => expect(page.locator('audio')).toBeVisible()],
  ['clip', 'video/mp4', async (page) => expect(page.locator('video')).toBeVisible()],
];
for (const [name, type, check] of SHOWN)
  test(`the page of a ${name} shows a preview, its details and a download link`, async ({ page }) => {
    const id = `asset_sample_${name}`;
    await checkAccessibility(page, { name: `asset-${name}`, path: `/assets/${id}`, prepare: check });
    await expect(page.getByLabel('Details')).toContainText(type);
    await expect(page.getByLabel('Details')).toContainText(id);
    await expect(page.getByRole('button', { name: 'Copy id' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copy URL' })).toBeVisible();
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect((await started).suggestedFilename()).toMatch(new RegExp(`^${name}\\.`));
  });

test('text is shown as plain text even if it contains HTML @C15', async ({ page, request }) => {
  const uploaded = await upload(request, { name: 'evil.txt', mimeType: 'text/plain', buffer: text(HTML) });
  await page.goto(new URL(uploaded.page_url).pathname);
  await expect(page.getByLabel('Text', { exact: true })).toContainText('<script>');
  await expect(page.getByRole('heading', { level: 1, name: 'evil.txt' })).toBeVisible();
});

test('an unknown asset is a 404 with a link to continue', async ({ page }) => {
  for (const id of ['asset_sample_nothing', 'nope', `asset_${'0'.repeat(42)}`]) {
    const answer = await page.goto(`/assets/${id}`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  }
});
