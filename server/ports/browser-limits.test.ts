import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareScratch } from '../confinement/places';
import { createTestBrowser, prepareTestBrowser } from '../testing/test-browser';
import { watchUncaught } from '../testing/uncaught';
import { signalOf } from '../testing/worker-signals';
import type { RenderRequest } from '../tools/skill-context';
import { createPageBrowser, type PageBrowser } from './browser';
import { OutboundGuard } from './outbound-guard';

const MIB = 1024 * 1024;
const LIMIT_MIB = 900;
const HOSTILE = fileURLToPath(new URL('./browser-host-hostile.fixture.mjs', import.meta.url));
const TOO_MUCH_MEMORY = 'takes too much memory';
const isLinux = process.platform === 'linux';
const found = prepareTestBrowser();
const guard = new OutboundGuard();

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browser-limits-'));
  shareScratch(folder);
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

function drawWith(browser: PageBrowser, page: Partial<RenderRequest>) {
  const output = { kind: 'picture', type: 'jpeg', fullPage: false, quality: 50 } as const;
  const name = `${count++}`;
  const path = join(folder, name);
  const request = { width: 200, height: 100, scale: 1, dark: false, delayMs: 0, path, output, ...page };
  return browser.render(request, signalOf(name));
}

/** All that this process has started, and what they started. */
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
    'is ended where its %s pass the limit of memory, and no other page',
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
        await drawWith(browser, { html: '<p>warm' });
        const script = `const kept = []; setInterval(() => { for (let i = 0; i < 4; i++) kept.push(${piece}) }, 5)`;
        const filling = drawWith(browser, { html: `<script>${script}</script>`, delayMs: 50_000 });
        const other = drawWith(browser, { html: '<title>Other</title>', delayMs: 3_000 });
        const [filled, drawn] = await Promise.allSettled([filling, other]);
        expect(filled).toMatchObject({ reason: { message: expect.stringContaining(TOO_MUCH_MEMORY) } });
        expect(drawn).toMatchObject({ status: 'fulfilled', value: { title: 'Other' } });
        expect((await drawWith(browser, { html: '<title>Next</title>' })).title).toBe('Next');
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
    'has the lowest priority and is the first to be killed when memory runs out',
    {
      timeout: 120_000,
    },
    async () => {
      const browser = createTestBrowser(guard);
      try {
        const drawing = drawWith(browser, { html: '<canvas id=c></canvas>', delayMs: 9_000 });
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
        await drawing;
      } finally {
        browser.close();
      }
    },
  );

  it('holds its place no longer than its time, also where its PDF never ends', {
    timeout: 120_000,
  }, async () => {
    const browser = createTestBrowser(guard, 8_000);
    try {
      await drawWith(browser, { html: '<p>warm' });
      const output = { kind: 'pdf', format: 'A4', landscape: false, background: true, margin: '0' } as const;
      const html = '<script>addEventListener("beforeprint", () => { for (;;); })</script>';
      const stuck = [0, 1].map(() => drawWith(browser, { html, output }));
      const next = drawWith(browser, { html: '<title>Next</title>' });
      for (const end of await Promise.allSettled(stuck))
        expect(end).toMatchObject({ reason: { message: expect.stringContaining('too much time') } });
      expect((await next).title).toBe('Next');
    } finally {
      browser.close();
    }
  });

  it('is drawn with so many pixels at most, also where it is not drawn whole', {
    timeout: 180_000,
  }, async () => {
    const browser = createTestBrowser(guard);
    try {
      const page = await drawWith(browser, { html: '<p>x', width: 3_840, height: 4_000, scale: 3 });
      expect(page.truncated).toBe(true);
      expect((page.width ?? 0) * (page.height ?? 0)).toBeLessThanOrEqual(60_000_000);
      expect(page.height).toBeGreaterThan(5_000);
    } finally {
      browser.close();
    }
  });
});

describe("the browser's driver", () => {
  const names = [
    'null',
    'number',
    'text',
    'no id',
    'id of the prototype',
    'no value',
    'value null',
    'size no number',
    'message no text',
    'deep',
    'ends',
  ];
  it.each(names)('that answers with a wrong message fails the call it drives (%s)', async (name) => {
    const uncaught = watchUncaught();
    const browser = createPageBrowser({ guard, findProgram: () => process.execPath, hostFile: HOSTILE });
    try {
      await expect(drawWith(browser, { html: name })).rejects.toThrow('could not be drawn');
      expect((await drawWith(browser, { html: 'fine' })).title).toBe('Fine');
      expect(uncaught.errors).toEqual([]);
    } finally {
      uncaught.stop();
      browser.close();
    }
  });
});
