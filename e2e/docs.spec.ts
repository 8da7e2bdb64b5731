import type { APIRequestContext } from 'playwright/test';
import robotsParser from 'robots-parser';
import { type CheckedPage, checkAccessibility } from './support/check-accessibility';
import { expect, test } from './support/fixtures';

const PAGES: CheckedPage[] = [
  { name: 'docs', path: '/docs' },
  { name: 'docs-guide', path: '/docs/calls' },
  { name: 'docs-errors', path: '/docs/errors' },
  { name: 'docs-api', path: '/docs/api', part: '#callTool' },
  { name: 'docs-api-group', path: '/docs/api/calls', part: '#callTool' },
  { name: 'docs-api-schemas', path: '/docs/api/schemas', part: '#Skill' },
  { name: 'docs-api-schema', path: '/docs/api/schemas/Skill' },
  {
    name: 'docs-search',
    path: '/docs/keys',
    async prepare(page) {
      await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('retry after');
      await expect(page.getByRole('list', { name: 'Results for' }).getByRole('link').first()).toBeVisible();
    },
  },
];

for (const shown of PAGES)
  test(`${shown.name} passes the accessibility checks, in light and dark, wide and on a phone`, async ({
    page,
  }) => {
    await checkAccessibility(page, shown);
  });

test('the header links to the documentation, which links its guides and finds an error code', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Documentation' })).toBeVisible();
  const nav = page.getByRole('navigation', { name: 'Documentation', exact: true });
  await nav.getByRole('link', { name: 'Jobs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible();
  await expect(nav.getByRole('link', { name: 'Jobs' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('navigation', { name: 'More guides' }).getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();

  await page.keyboard.press('/');
  await page.keyboard.type('INSUFFICIENT_CREDITS');
  await page
    .getByRole('list', { name: 'Results for' })
    .getByRole('link', { name: /^INSUFFICIENT_CREDITS/ })
    .first()
    .click();
  await expect(page).toHaveURL('/docs/errors#INSUFFICIENT_CREDITS');
  await expect(page.getByRole('heading', { name: 'INSUFFICIENT_CREDITS' })).toBeInViewport();
});

test('a search without results says so, and on a phone the pages are in a menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs/keys');
  await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('zzqxjwvk');
  await expect(page.getByText('No results for “zzqxjwvk”')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByText('All pages of the documentation').click();
  await page
    .getByRole('navigation', { name: 'Documentation, on a phone' })
    .getByRole('link', { name: 'Money' })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Money' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Documentation, on a phone' })).toBeHidden();
});

test('code is copied as shown, in the chosen language', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/calls');
  const frame = page.locator('[data-code]').first();
  await frame.getByRole('button', { name: /^Copy/ }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  expect(await copied()).toContain(`curl -s ${baseURL}/v1/tools/call`);
  await frame.getByRole('tab', { name: 'Python' }).click();
  await frame.getByRole('button', { name: /^Copy/ }).click();
  expect(await copied()).toContain('import json, os, urllib.request');
});

test('the reference filters its routes and lists their errors', async ({ page }) => {
  await page.goto('/docs/api');
  const routes = page.getByRole('region', { name: 'All routes' });
  await routes.getByRole('searchbox').fill('post keys');
  await expect(routes.getByRole('status')).toHaveText('3 routes');
  await routes.getByRole('link', { name: '/v1/keys/{id}/credits' }).click();
  await expect(page).toHaveURL('/docs/api/keys#addKeyCredits');
  const operation = page.getByRole('region', { name: 'Raise the credit limit of a key', exact: true });
  await expect(operation).toBeInViewport();
  const sample = operation.locator('pre').first();
  await expect(sample).toContainText('curl -s');
  await page.getByRole('radio', { name: 'Python' }).check();
  await expect(sample).toContainText('urllib.request');
  await operation.getByRole('link', { name: 'IDEMPOTENCY_MISMATCH' }).click();
  await expect(page).toHaveURL('/docs/errors#IDEMPOTENCY_MISMATCH');
  await page.goBack();
  await operation.getByRole('link', { name: 'Errors of every route here' }).click();
  const shared = page.getByRole('region', { name: 'Errors of every route here' });
  await shared.getByRole('link', { name: 'RATE_LIMIT_EXCEEDED' }).click();
  await expect(page).toHaveURL('/docs/errors#RATE_LIMIT_EXCEEDED');
});

test('anchors of the reference from before it had pages lead to the page of what they name', async ({
  page,
}) => {
  await page.goto('/docs/api#callTool');
  await expect(page).toHaveURL('/docs/api/calls#callTool');
  await expect(page.getByRole('heading', { name: 'Call a tool' })).toBeInViewport();
  await page.goto('/docs/api#tag-Webhooks');
  await expect(page).toHaveURL('/docs/api/webhooks');
  await page.goto('/docs/api/schemas#Skill');
  await expect(page).toHaveURL('/docs/api/schemas/Skill');
  await expect(page.getByRole('heading', { level: 1, name: 'Skill' })).toBeVisible();
});

test('no page of the reference has more than 150 kB of HTML, and each operation is on one of them', async ({
  request,
}) => {
  const sitemap = await (await request.get('/sitemap.xml')).text();
  const paths = [...sitemap.matchAll(/<loc>[^<]*?(\/docs\/api[^<]*)<\/loc>/g)].map(([, path]) => path ?? '');
  const document: { paths: Record<string, Record<string, { operationId: string }>> } = await (
    await request.get('/openapi.json')
  ).json();
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const pages = new Map(ids.map((id) => [id, 0]));
  for (const path of paths) {
    const html = await (await request.get(path)).text();
    expect.soft(Buffer.byteLength(html), path).toBeLessThanOrEqual(150_000);
    for (const id of ids) if (html.includes(`<section id="${id}"`)) pages.set(id, (pages.get(id) ?? 0) + 1);
  }
  expect([...pages].filter(([, count]) => count !== 1)).toEqual([]);
});

test('every link and anchor of the documentation resolves', async ({ request, baseURL }) => {
  const pages = new Map<string, Promise<{ status: number; html: string }>>();
  const load = (path: string) => {
    const known = pages.get(path) ?? fetchPage(request, path);
    pages.set(path, known);
    return known;
  };
  const sitemap = await (await request.get('/sitemap.xml')).text();
  const docs = [...sitemap.matchAll(/<loc>[^<]*?(\/docs[^<]*)<\/loc>/g)].map(([, path]) => path ?? '');
  expect(docs.length).toBeGreaterThan(15);
  const broken: string[] = [];
  for (const path of docs) {
    const { status, html } = await load(path);
    if (status !== 200) broken.push(`${path}: ${status}`);
    for (const href of linksIn(html, baseURL ?? '')) {
      const [target = '', anchor = ''] = href.split('#');
      const to = target === '' ? path : target;
      const found = await load(to);
      if (found.status !== 200) broken.push(`${path} → ${href}: ${found.status}`);
      else if (anchor !== '' && !found.html.includes(` id="${anchor}"`))
        broken.push(`${path} → ${href}: no anchor`);
    }
  }
  expect(broken).toEqual([]);
});

/** Links to this gateway, except those that require signing in. */
function linksIn(html: string, baseURL: string): string[] {
  const all = [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) =>
    (href ?? '').replaceAll('&amp;', '&'),
  );
  const own = all.map((href) => (href.startsWith(baseURL) ? href.slice(baseURL.length) : href));
  return [...new Set(own.filter((href) => /^[/#]/.test(href) && !/^\/(dashboard|mcp)/.test(href)))];
}

async function fetchPage(
  request: APIRequestContext,
  path: string,
): Promise<{ status: number; html: string }> {
  const response = await request.get(path);
  return { status: response.status(), html: await response.text() };
}

test('an agent that knows only the base URL gets a result in three further requests', async ({
  request,
  baseURL,
}) => {
  const text = await (await request.get('/llms.txt')).text();
  // What an agent reads: the commands of the numbered steps, in order.
  const steps = [...text.matchAll(/```sh\n(curl [\s\S]*?)\n```/g)].map(([, command]) =>
    readCurl(command ?? ''),
  );
  expect(steps.length).toBeLessThanOrEqual(3);
  let key = '';
  // biome-ignore lint/suspicious/noExplicitAny: responses have different shapes
  let answer: any;
  for (const { method, url, headers, body } of steps) {
    expect(url.startsWith(`${baseURL}/`), url).toBe(true);
    const headerFields = Object.fromEntries(
      headers.map(([name, value]) => [name, value.replace('$TOOL_GATEWAY_KEY', key)] as const),
    );
    const response = await request.fetch(url, {
      method,
      headers: headerFields,
      ...(body ? { data: body } : {}),
    });
    answer = await response.json();
    key = answer.api_key ?? key;
  }
  expect(answer).toMatchObject({ status: 'success', output: { words: 6 }, billed: false });
});

test('robots.txt allows every link of llms.txt', async ({ request, baseURL }) => {
  const address = `${baseURL}/robots.txt`;
  const robots = robotsParser(address, await (await request.get(address)).text());
  const text = await (await request.get('/llms.txt')).text();
  const links = [...text.matchAll(/\]\((https?:[^)]+)\)/g)].map(([, link]) => link ?? '');
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => robots.isDisallowed(link, 'example-bot'))).toEqual([]);
  expect(robots.isDisallowed(`${baseURL}/v1/keys`, 'example-bot')).toBe(true);
});

/** Parses a curl command into a request. */
function readCurl(command: string) {
  const quoted = (flag: string) =>
    [...command.matchAll(new RegExp(`${flag} (?:"([^"]*)"|'([^']*)')`, 'g'))].map(([, a, b]) => a ?? b ?? '');
  const [body] = quoted('-d');
  return {
    url: /https?:\/\/[^\s'"]+/.exec(command)?.[0] ?? '',
    method: /-X (\w+)/.exec(command)?.[1] ?? (body ? 'POST' : 'GET'),
    headers: quoted('-H').map((line) => line.split(/:\s*/, 2) as [string, string]),
    body,
  };
}

const TEXTS = [
  ['/llms.txt', 'text/plain; charset=utf-8', '# Tool Gateway'],
  ['/llms-full.txt', 'text/plain; charset=utf-8', '### `INSUFFICIENT_CREDITS`'],
  ['/skill.md', 'text/markdown; charset=utf-8', 'name: tool-gateway'],
  ['/docs/jobs.md', 'text/markdown; charset=utf-8', '# Jobs'],
  [
    '/.well-known/api-catalog',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    'service-desc',
  ],
  ['/.well-known/agent-skills/index.json', 'application/json; charset=utf-8', 'skill-md'],
] as const;

for (const [path, type, part] of TEXTS)
  test(`${path} is served to every origin and supports conditional requests`, async ({
    request,
    baseURL,
  }) => {
    const response = await request.get(path);
    expect(response.status()).toBe(200);
    const headers = response.headers();
    expect(headers['content-type']).toBe(type);
    expect(headers['access-control-allow-origin']).toBe('*');
    const text = await response.text();
    expect(text).toContain(part);
    expect(text, 'the address of a local start').not.toMatch(/localhost:3000/);
    expect(text).toContain(baseURL);
    const head = await request.head(path);
    expect(head.status()).toBe(200);
    expect(head.headers().etag).toBe(headers.etag);
    const again = await request.get(path, { headers: { 'If-None-Match': headers.etag ?? '' } });
    expect(again.status()).toBe(304);
  });

test('pages are served as Markdown on request, and the skill’s digest matches its bytes', async ({
  request,
}) => {
  const asked = await request.get('/docs/jobs', { headers: { Accept: 'text/markdown' } });
  expect(asked.headers()['content-type']).toBe('text/markdown; charset=utf-8');
  expect(await asked.text()).toBe(await (await request.get('/docs/jobs.md')).text());
  for (const path of ['/', '/docs']) {
    const text = await request.get(path, { headers: { Accept: 'text/markdown' } });
    expect(text.headers()['content-type']).toBe('text/markdown; charset=utf-8');
    expect(await text.text()).toBe(await (await request.get('/llms.txt')).text());
    const page = await request.get(path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect(page.headers()['content-type']).toContain('text/html');
    expect(page.headers().vary).toMatch(/\bAccept\b/);
  }
  expect((await request.get('/docs/no-such-guide')).status()).toBe(404);
  expect((await request.get('/docs/no-such-guide.md')).status()).toBe(404);

  const { skills } = await (await request.get('/.well-known/agent-skills/index.json')).json();
  const bytes = await (await request.get(skills[0].url)).body();
  const { createHash } = await import('node:crypto');
  expect(skills[0].digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
});

test('the home page links the machine-readable documents in its headers and its HTML head', async ({
  request,
}) => {
  const response = await request.get('/');
  const links = response
    .headersArray()
    .filter(({ name }) => name.toLowerCase() === 'link')
    .map(({ value }) => value)
    .join(', ');
  for (const relation of ['service-desc', 'service-doc', 'api-catalog', 'describedby'])
    expect(links).toContain(`rel="${relation}"`);
  expect(await response.text()).toMatch(/<link rel="alternate" type="text\/plain" href="[^"]*\/llms\.txt"/);
});

test('an error’s doc_url leads to its section', async ({ request, baseURL, page }) => {
  const response = await request.get('/v1/billing/balance');
  const { error } = await response.json();
  expect(error.doc_url).toBe(`${baseURL}/docs/errors#AUTH_REQUIRED`);
  await page.goto(error.doc_url);
  await expect(page.getByRole('heading', { name: 'AUTH_REQUIRED' })).toBeInViewport();
});
