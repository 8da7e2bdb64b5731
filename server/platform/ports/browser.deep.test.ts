import { readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { makeSharedFolder } from '@/test/support/process-scratch';
import { createTestBrowser, prepareTestBrowser } from '@/test/support/test-browser';
import { createPageBrowser } from './browser';
import { OutboundGuard } from './outbound-guard';
import { createPageRenderer, type PageRenderer } from './testing/page-renderer';

const found = prepareTestBrowser();

/** A server that nothing may connect to. */
let canary: FakeSite;
let site: FakeSite;
let guard: OutboundGuard;
let pages: PageRenderer;
beforeAll(async () => {
  canary = await startFakeSite((_, response) => void response.end('secret'));
  site = await startFakeSite((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(pageThatTriesAll());
  });
  guard = new OutboundGuard({
    allow: [{ host: '127.0.0.1', port: site.port }],
    webPorts: [80, 443, canary.port],
  });
  pages = await createPageRenderer();
});
afterAll(async () => {
  await Promise.all([site.close(), canary.close(), pages.remove()]);
});

/** A page that tries to reach other addresses in every way. */
function pageThatTriesAll(): string {
  return `<title>Tries</title><img src="${canary.origin}/a.png"><iframe src="http://localhost:${canary.port}/"></iframe>
        <iframe src="file:///etc/passwd"></iframe><iframe src="http://0x7f.1:${canary.port}/"></iframe>
        <link rel="dns-prefetch" href="//localhost"><link rel="preconnect" href="${canary.origin}">
        <script>
          fetch('${canary.origin}/fetch', { mode: 'no-cors' }).catch(() => 0);
          new WebSocket('ws://127.0.0.1:${canary.port}/ws');
          navigator.sendBeacon('${canary.origin}/beacon', 'x');
          try { new RTCPeerConnection({ iceServers: [{ urls: 'turn:127.0.0.1:${canary.port}?transport=tcp', username: 'a', credential: 'b' }] }).createDataChannel('x'); } catch {}
          window.open('${canary.origin}/popup');
        </script>`;
}

describe.skipIf('missing' in found)('a separate browser', () => {
  it('lets no image, frame, script, socket or popup of a page reach a private address @C8', async () => {
    const browser = createTestBrowser(guard);
    for (const page of [
      { url: `${site.origin}/` },
      {
        html: `<img src="${canary.origin}/x"><script src="http://no-such.invalid/x"></script><iframe src="file:///etc/passwd">`,
      },
    ]) {
      const drawn = await pages.render(browser, { ...page, delayMs: 1_500 });
      expect(drawn.blockedRequests).toBeGreaterThan(0);
    }
    browser.close();
    expect(canary.connections()).toBe(0);
  });

  it('ends only a page with an endless script, and leaves no folder behind @F16', async () => {
    const { TMPDIR } = process.env;
    // Other tests run browsers at the same time, with their own folders.
    const folder = await makeSharedFolder('browser-test');
    process.env.TMPDIR = folder;
    try {
      const browser = createTestBrowser(guard, 10_000);
      await pages.render(browser, { html: '<p>warm' });
      const script = '<script>setTimeout(() => { for (;;); }, 100)</script>';
      const stuck = pages.render(browser, { html: script, delayMs: 400 });
      const other = pages.render(browser, { html: '<i>x', delayMs: 1_000 });
      const [ended, drawn] = await Promise.allSettled([stuck, other]);
      expect(ended).toMatchObject({ reason: { message: expect.stringContaining('too much time') } });
      expect(drawn.status).toBe('fulfilled');
      browser.close();
      await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), { timeout: 30_000 });
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('starts a browser again that did not start', async () => {
    if ('missing' in found) throw new Error(found.missing);
    const program = join(dirname(found.program), `starts-late-${process.pid}`);
    const chromium = `exec ${JSON.stringify(found.program)} "$@"`;
    await writeFile(
      program,
      `#!/bin/sh
case "$*" in *--version*) ${chromium};; esac
case "$*" in *--no-sandbox*) tried="$TMPDIR/without-sandbox";; *) tried="$TMPDIR/with-sandbox";; esac
[ -e "$tried" ] && ${chromium}
touch "$tried"
exit 1
`,
      { mode: 0o755 },
    );
    const late = createPageBrowser({
      guard,
      findProgram: async () => ({ program, env: found.env }),
      settleMs: 2_000,
    });
    try {
      expect((await pages.render(late, { html: '<title>Late</title>' })).title).toBe('Late');
    } finally {
      late.close();
      await rm(program);
    }
  });
});
