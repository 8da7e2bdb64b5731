import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestBrowser, prepareTestBrowser } from '@/test/support/test-browser';
import { setWorkerNiceness } from '../confinement/run-nice';
import { OutboundGuard } from './outbound-guard';
import { createPageRenderer, type PageRenderer } from './testing/page-renderer';

const MIB = 1024 * 1024;
const LIMIT_MIB = 900;
const TOO_MUCH_MEMORY = 'takes too much memory';
const isLinux = process.platform === 'linux';
const found = prepareTestBrowser();
const guard = new OutboundGuard();

let pages: PageRenderer;
beforeAll(async () => {
  pages = await createPageRenderer();
});
afterAll(() => pages.remove());

/** All processes that this one has started, with their descendants. */
async function descendants(): Promise<string[]> {
  const parents = new Map<string, string>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    parents.set(pid, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '');
  }
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === String(process.pid) || isOurs(parents.get(pid)));
  return [...parents.keys()].filter((pid) => pid !== String(process.pid) && isOurs(pid));
}

async function memoryMib(): Promise<number> {
  const sizes = (await descendants()).map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

describe.skipIf('missing' in found)('one page of the browser', () => {
  it.runIf(isLinux).each([
    ['buffers', 'new Uint8Array(16 << 20).fill(1)'],
    ['arrays', 'new Array(1e6).fill(1.5)'],
  ])(
    'is ended where its %s pass the limit of memory, and no other page @F16',
    {
      timeout: 240_000,
    },
    async (_, piece) => {
      const browser = createTestBrowser(guard, 60_000, { maxBytes: LIMIT_MIB * MIB });
      const own = process.memoryUsage.rss();
      let most = 0;
      let watching = true;
      const watch = (async () => {
        while (watching) most = Math.max(most, await memoryMib());
      })();
      try {
        await pages.render(browser, { html: '<p>warm' });
        const script = `const kept = []; setInterval(() => { for (let i = 0; i < 4; i++) kept.push(${piece}) }, 5)`;
        const filling = pages.render(browser, { html: `<script>${script}</script>`, delayMs: 50_000 });
        const other = pages.render(browser, { html: '<title>Other</title>', delayMs: 3_000 });
        const [filled, drawn] = await Promise.allSettled([filling, other]);
        expect(filled).toMatchObject({ reason: { message: expect.stringContaining(TOO_MUCH_MEMORY) } });
        expect(drawn).toMatchObject({ status: 'fulfilled', value: { title: 'Other' } });
        expect((await pages.render(browser, { html: '<title>Next</title>' })).title).toBe('Next');
      } finally {
        watching = false;
        await watch;
        browser.close();
      }
      expect(most).toBeLessThan(2 * LIMIT_MIB);
      expect(process.memoryUsage.rss() - own).toBeLessThan(200 * MIB);
    },
  );

  it.runIf(isLinux)(
    'has the lowest priority and is the first to be killed when memory runs out @F16',
    {
      timeout: 120_000,
    },
    async () => {
      setWorkerNiceness(15);
      const browser = createTestBrowser(guard);
      try {
        // It ends with the browser, once all processes have been seen.
        const drawing = pages.render(browser, { html: '<canvas id=c></canvas>', delayMs: 60_000 });
        drawing.catch(() => undefined);
        const adjusted = async () => {
          const pids = await descendants();
          const scores = pids.map((pid) =>
            readFile(`/proc/${pid}/oom_score_adj`, 'utf8').catch(() => '1000'),
          );
          const nices = pids.map(async (pid) => {
            const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
            const read = threads.map(async (thread) => {
              const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '');
              return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] ?? 10);
            });
            return Math.min(10, ...(await Promise.all(read)));
          });
          return {
            enough: pids.length > 4,
            scores: [...new Set((await Promise.all(scores)).map((score) => score.trim()))],
            nices: [...new Set(await Promise.all(nices))],
          };
        };
        await expect
          .poll(adjusted, { timeout: 60_000, interval: 200 })
          .toEqual({ enough: true, scores: ['1000'], nices: [10] });
      } finally {
        setWorkerNiceness(0);
        browser.close();
      }
    },
  );

  it('holds its slot no longer than its time limit, even if its PDF never ends @F16', {
    timeout: 120_000,
  }, async () => {
    const browser = createTestBrowser(guard, 8_000);
    try {
      await pages.render(browser, { html: '<p>warm' });
      const output = { kind: 'pdf', format: 'A4', landscape: false, background: true, margin: '0' } as const;
      const html = '<script>addEventListener("beforeprint", () => { for (;;); })</script>';
      const stuck = [0, 1].map(() => pages.render(browser, { html, output }));
      const next = pages.render(browser, { html: '<title>Next</title>' });
      for (const end of await Promise.allSettled(stuck))
        expect(end).toMatchObject({ reason: { message: expect.stringContaining('too much time') } });
      expect((await next).title).toBe('Next');
    } finally {
      browser.close();
    }
  });

  it('is drawn with a limited number of pixels, even if it is truncated @F16', {
    timeout: 180_000,
  }, async () => {
    const browser = createTestBrowser(guard);
    try {
      const page = await pages.render(browser, { html: '<p>x', width: 3_840, height: 4_000, scale: 3 });
      expect(page.truncated).toBe(true);
      expect((page.width ?? 0) * (page.height ?? 0)).toBeLessThanOrEqual(60_000_000);
      expect(page.height).toBeGreaterThan(5_000);
    } finally {
      browser.close();
    }
  });
});
