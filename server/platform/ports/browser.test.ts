import { mkdir, mkdtemp, readdir, rm, symlink, utimes } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { makeSharedFolder } from '@/test/support/process-scratch';
import { startRawSite } from '@/test/support/raw-site';
import { createTestBrowser, prepareTestBrowser } from '@/test/support/test-browser';
import type { PageBrowser } from './browser';
import { makeBrowserFolder, sweepBrowserFolders, touchBrowserFolder } from './browser-folders';
import { BrowserProxy } from './browser-proxy';
import { OutboundGuard } from './outbound-guard';
import type { RenderRequest } from './rendered-page';
import { createCallSignal } from './testing/worker-signals';

const NOT_PUBLIC = 'The address is not on the public internet.';
const found = prepareTestBrowser();
if ('missing' in found) console.warn(`The browser's tests are left out: ${found.missing}`);

let site: FakeSite;
let canary: FakeSite;
let guard: OutboundGuard;
beforeAll(async () => {
  canary = await startFakeSite((_, response) => void response.end('secret'));
  site = await startFakeSite((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const html = (body: string) => void response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    if (pathname === '/red') return html('<title>Red</title><style>body{margin:0;background:#f00}</style>');
    if (pathname === '/dark')
      return html(
        '<style>body{background:#fff}@media(prefers-color-scheme:dark){body{background:#000}}</style>',
      );
    if (pathname === '/long')
      return html('<body style="margin:0"><div style="height:3000px;background:#0f0"></div>');
    if (pathname === '/later')
      return html(
        '<script>setTimeout(()=>{document.body.innerHTML="<b id=x>now</b>";document.title="Later"},300)</script>',
      );
    if (pathname === '/hangs') return html('<title>Hangs</title><img src="/never">');
    if (pathname === '/never') return;
    if (pathname === '/status')
      return void response.socket?.end('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n');
    if (pathname === '/switches') {
      const upgrade = request.url?.endsWith('?named') ? 'Connection: Upgrade\r\nUpgrade: odd\r\n' : '';
      return void response.socket?.end(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`);
    }
    if (pathname === '/download')
      return void response
        .writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' })
        .end('PK');
    if (pathname === '/redirect')
      return void response.writeHead(302, { location: `${canary.origin}/` }).end();
    return html('<title>Start</title>');
  });
  guard = new OutboundGuard({
    allow: [{ host: '127.0.0.1', port: site.port }],
    webPorts: [80, 443, canary.port],
  });
});
afterAll(async () => {
  await Promise.all([site.close(), canary.close()]);
});

describe.skipIf('missing' in found)('the browser', () => {
  let browser: PageBrowser;
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    // A shorter wait than usual for resources that never arrive.
    browser = createTestBrowser(guard, undefined, { settleMs: 2_000 });
    folder = await makeSharedFolder('browser-test');
  });
  afterAll(async () => {
    browser.close();
    await rm(folder, { recursive: true, force: true });
  });
  const signal = new AbortController().signal;
  const draw = async (page: Partial<RenderRequest>, until = signal) => {
    const path = join(folder, `${count++}`);
    const output = { kind: 'picture', type: 'png', fullPage: false, quality: 80 } as const;
    const request = { width: 200, height: 100, scale: 1, dark: false, delayMs: 0, path, output, ...page };
    return { ...(await browser.render(request, until)), path };
  };
  const readColour = async (path: string) => {
    const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
    return { rgb: [...data.subarray(0, 3)], width: info.width, height: info.height };
  };

  it('draws a page in the requested size, and returns its title and status', async () => {
    const page = await draw({ url: `${site.origin}/red`, scale: 2 });
    expect(page).toMatchObject({
      title: 'Red',
      status: 200,
      width: 400,
      height: 200,
      truncated: false,
      blockedRequests: 0,
    });
    expect(await readColour(page.path)).toEqual({ rgb: [255, 0, 0], width: 400, height: 200 });
  });

  it('draws HTML, dark pages, full pages and content that appears later', async () => {
    expect((await readColour((await draw({ html: '<body style="background:#00f">' })).path)).rgb).toEqual([
      0, 0, 255,
    ]);
    expect((await readColour((await draw({ url: `${site.origin}/dark`, dark: true })).path)).rgb).toEqual([
      0, 0, 0,
    ]);
    const output = { kind: 'picture', type: 'webp', fullPage: true, quality: 80 } as const;
    const long = await draw({ url: `${site.origin}/long`, output });
    expect([long.height, (await sharp(long.path).metadata()).height]).toEqual([3_000, 3_000]);
    expect((await draw({ url: `${site.origin}/later`, waitFor: '#x' })).title).toBe('Later');
  });

  it('refuses private addresses without connecting, also after a redirect @C11', async () => {
    await expect(draw({ url: `${canary.origin}/` })).rejects.toThrow(NOT_PUBLIC);
    await expect(draw({ url: `http://localhost:${canary.port}/` })).rejects.toThrow(NOT_PUBLIC);
    await expect(draw({ url: `${site.origin}/redirect` })).rejects.toThrow(NOT_PUBLIC);
    await expect(draw({ url: `https://localhost:${canary.port}/` })).rejects.toThrow(NOT_PUBLIC);
    await expect(draw({ url: 'file:///etc/passwd' })).rejects.toThrow('Only http and https');
    expect(canary.connections()).toBe(0);
  });

  it('lets no image, script or frame of a page reach a private address', async () => {
    // Each part reports that its request has failed; then the page has made all of them.
    const count = `let left = 3; function ended() { if (--left === 0) document.body.id = 'all' }`;
    const parts = [
      `<img src="${canary.origin}/x" onerror="ended()">`,
      `<script src="${canary.origin}/x" onerror="ended()"></script>`,
      `<iframe src="${canary.origin}/x" onload="ended()"></iframe>`,
    ];
    const html = `<body><script>${count}</script>${parts.join('')}<iframe src="file:///etc/passwd"></iframe>`;
    expect((await draw({ html, waitFor: '#all' })).blockedRequests).toBeGreaterThanOrEqual(3);
    expect(canary.connections()).toBe(0);
  });

  it('reports why a page cannot be drawn', async () => {
    await expect(draw({ url: `${site.origin}/download` })).rejects.toThrow('is a download, not a page');
    await expect(draw({ url: `${site.origin}/red`, waitFor: '###' })).rejects.toThrow(
      'this is not a valid CSS selector',
    );
    await expect(draw({ url: 'https://no-such-host.invalid/' })).rejects.toThrow('does not exist');
  });

  it('draws a page with a resource that never arrives', async () => {
    expect((await draw({ url: `${site.origin}/hangs` })).title).toBe('Hangs');
  });

  it('ends with the signal, even for a call that waits for a slot', async () => {
    const stop = new AbortController();
    const before = site.requests.length;
    let ends: PromiseSettledResult<unknown>[] = [];
    const calls = Array.from({ length: 4 }, () =>
      draw({ url: `${site.origin}/red`, delayMs: 60_000 }, stop.signal),
    );
    Promise.allSettled(calls).then((settled) => {
      ends = settled;
    });
    await expect.poll(() => site.requests.length).toBeGreaterThan(before);
    stop.abort(new Error('enough'));
    // Before the first one's wait of the page is over.
    await expect.poll(() => ends, { timeout: 30_000 }).toHaveLength(4);
    for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
    expect((await draw({ url: `${site.origin}/red` })).title).toBe('Red');
  });

  it('draws the page of another account while one without sign-up floods it @F7', async () => {
    const stop = new AbortController();
    const outcomes = { drawn: 0, refused: 0, stopped: 0 };
    const flood = Array.from({ length: 40 }, () =>
      draw(
        { url: `${site.origin}/never` },
        createCallSignal('flood', { provisional: true, until: stop.signal }),
      ).then(
        () => outcomes.drawn++,
        ({ message }) => (message === 'enough' ? outcomes.stopped++ : outcomes.refused++),
      ),
    );
    const others = ['a', 'b'].map((name) => draw({ url: `${site.origin}/red` }, createCallSignal(name)));
    expect((await Promise.all(others)).map(({ title }) => title)).toEqual(['Red', 'Red']);
    stop.abort(new Error('enough'));
    await Promise.all(flood);
    expect(outcomes).toEqual({ drawn: 0, refused: 8, stopped: 32 });
  });
});

it('the sweep removes folders of killed browsers, and no others @F16', async () => {
  const { TMPDIR } = process.env;
  const parent = await mkdtemp(join(tmpdir(), 'browser-test-'));
  process.env.TMPDIR = parent;
  const longAgo = new Date(Date.now() - 3_600_000);
  await mkdir(join(parent, 'elsewhere'));
  await symlink(join(parent, 'elsewhere'), join(parent, 'gateway-browser-link'));
  const [killed, running, used] = [0, 1, 2].map(() => makeBrowserFolder());
  if (!killed || !running || !used) throw new Error('Three were made');
  await mkdir(join(killed, 'profile'));
  for (const path of [killed, used, join(parent, 'elsewhere')]) await utimes(path, longAgo, longAgo);
  touchBrowserFolder(used);
  await sweepBrowserFolders();
  const left = ['elsewhere', 'gateway-browser-link', basename(running), basename(used)];
  expect((await readdir(parent)).sort()).toEqual(left.sort());
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await rm(parent, { recursive: true });
});

describe("the browser's proxy", () => {
  let proxy: BrowserProxy;
  let port: number;
  beforeAll(async () => {
    proxy = new BrowserProxy(guard);
    port = await proxy.listen();
  });
  afterAll(() => proxy.close());
  const authorization = ({ username, password }: { username: string; password: string }) => ({
    'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  });
  const get = (url: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve) => {
      const request = httpRequest({ host: '127.0.0.1', port, path: url, headers }, ({ statusCode }) =>
        resolve(statusCode),
      );
      request.on('upgrade', ({ statusCode }, socket) => resolve(socket.destroy() && statusCode));
      request.on('error', () => resolve(undefined)).end();
    });
  const tunnel = (host: string, headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port });
      socket
        .once('data', (data) => resolve(data.toString().split('\r\n')[0] ?? ''))
        .on('error', () => resolve('error'));
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`);
    });

  it('serves only its own call, and only while that runs', async () => {
    const session = proxy.open();
    expect(await get(`${site.origin}/red`, {})).toBe(407);
    expect(
      await get(
        `${site.origin}/red`,
        authorization({ ...session, username: session.username, password: 'x'.repeat(36) }),
      ),
    ).toBe(407);
    expect(await tunnel(`127.0.0.1:${site.port}`, {})).toContain('407');
    const own = authorization({ username: session.username, password: session.password });
    expect(await get(`${site.origin}/red`, own)).toBe(200);
    expect(await tunnel(`127.0.0.1:${site.port}`, own)).toContain('200');
    session.close();
    expect(await get(`${site.origin}/red`, own)).toBe(407);
  });

  it('refuses what the guard refuses, without a response that could be rendered as a page', async () => {
    const session = proxy.open();
    const own = authorization({ username: session.username, password: session.password });
    expect(await get(`${canary.origin}/`, own)).toBeUndefined();
    expect(await tunnel(`127.0.0.1:${canary.port}`, own)).toContain('403');
    expect(await tunnel(`[::ffff:127.0.0.1]:${canary.port}`, own)).toContain('403');
    expect(await tunnel('127.0.0.1:22', own)).toContain('403');
    expect([session.refused(), session.findRefusal(`127.0.0.1:${canary.port}`)]).toEqual([4, NOT_PUBLIC]);
    expect(canary.connections()).toBe(0);
  });

  it('survives a response that it cannot forward, such as one with status 099', async () => {
    const uncaught: unknown[] = [];
    const remember = (error: unknown) => void uncaught.push(error);
    process.prependListener('uncaughtException', remember);
    const session = proxy.open();
    const own = authorization({ username: session.username, password: session.password });
    expect(await get(`${site.origin}/status`, own)).toBeUndefined();
    expect(await get(`${site.origin}/red`, own)).toBe(200);
    process.off('uncaughtException', remember);
    expect(uncaught).toEqual([]);
  });

  it.each([
    [
      'small pieces',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(40_000)}0\r\n\r\n`,
    ],
    [
      'informational responses',
      `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20_000)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
    ],
  ])('ends a request whose answer has too many %s @E23', async (_, answer) => {
    const chunky = await startRawSite((socket) => void socket.end(answer));
    const proxy = new BrowserProxy(new OutboundGuard({ allow: [{ host: '127.0.0.1', port: chunky.port }] }));
    const session = proxy.open();
    const headers = authorization({ username: session.username, password: session.password });
    const options = { host: '127.0.0.1', port: await proxy.listen(), path: chunky.origin, headers };
    const isComplete = await new Promise<boolean>((resolve) => {
      httpRequest(options, (response) => {
        response
          .on('error', () => undefined)
          .on('close', () => resolve(response.complete))
          .resume();
      })
        .on('error', () => resolve(false))
        .end();
    });
    expect(isComplete).toBe(false);
    await proxy.close();
    await chunky.close();
  });

  it.each(['', '?named'])('forwards no unrequested upgrade (%s) @F15', async (query) => {
    const session = proxy.open();
    const own = authorization({ username: session.username, password: session.password });
    expect(await get(`${site.origin}/switches${query}`, own)).toBeUndefined();
    expect(await get(`${site.origin}/red`, own)).toBe(200);
  });

  it('opens no connection for a call that ended during the lookup @C10', async () => {
    const lookedUp: (() => void)[] = [];
    const slow = new BrowserProxy(
      new OutboundGuard({
        allow: [{ host: 'slow.test', port: site.port }],
        resolve: () =>
          new Promise((resolve) => lookedUp.push(() => resolve([{ address: '127.0.0.1', family: 4 }]))),
      }),
    );
    const session = slow.open();
    const own = authorization({ username: session.username, password: session.password });
    const host = `slow.test:${site.port}`;
    const sockets = await Promise.all(
      [`CONNECT ${host}`, `GET http://${host}/`].map(async (line) => {
        const socket = connect({ host: '127.0.0.1', port: await slow.listen() }).on('error', () => undefined);
        socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\n`);
        socket.write(`Proxy-Authorization: ${own['proxy-authorization']}\r\n\r\n`);
        return socket;
      }),
    );
    await expect.poll(() => lookedUp).toHaveLength(2);
    for (const socket of sockets) socket.destroy();
    session.close();
    const before = site.connections();
    for (const answer of lookedUp) answer();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(site.connections()).toBe(before);
    slow.close();
  });
});
