import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { PageContexts } from './page-contexts';

const require = createRequire(import.meta.url);
const hooks = require('node:async_hooks') as { AsyncLocalStorage: typeof AsyncLocalStorage };
const original = hooks.AsyncLocalStorage;
const before = globalThis as { AsyncLocalStorage?: typeof AsyncLocalStorage };
const own = before.AsyncLocalStorage;
afterEach(() => {
  Object.assign(globalThis, { AsyncLocalStorage: own });
  Object.defineProperty(hooks, 'AsyncLocalStorage', { value: original });
});

/** Creates a storage from the global class, like Next. */
function pageStorage(): AsyncLocalStorage<string> {
  const Made = before.AsyncLocalStorage as typeof AsyncLocalStorage;
  return new Made<string>();
}

const answer = (type: string, headersSent = false) =>
  Object.assign(new EventEmitter(), { headersSent, getHeader: () => type }) as unknown as ServerResponse;

// Nodes with async context frames do not need it, and `disable` means less there.
describe.runIf(PageContexts.areCostly)('page contexts on promise hooks', () => {
  it('disables page contexts while no page is rendered, and enables them for the next page', async () => {
    const contexts = new PageContexts();
    contexts.install();
    const storage = pageStorage();
    let end = () => {};
    const made = new Promise<void>((done) => {
      end = done;
    });
    const page = contexts.follow(
      answer('text/html'),
      storage.run('first', async () => {
        await made;
        expect(storage.getStore()).toBe('first');
      }),
    );
    await new Promise((done) => setTimeout(done, 700));
    expect(contexts.active).toBe(true);
    end();
    await page;
    await expect.poll(() => contexts.active, { timeout: 10_000 }).toBe(false);
    await storage.run('second', async () => {
      await Promise.resolve();
      expect(storage.getStore()).toBe('second');
    });
    expect(contexts.active).toBe(true);
  });

  it('does not keep contexts enabled for a running event stream or a failed page', async () => {
    const contexts = new PageContexts();
    contexts.install();
    const storage = pageStorage();
    void contexts.follow(
      answer('text/event-stream', true),
      storage.run('stream', () => new Promise<void>(() => {})),
    );
    const failed = contexts.follow(
      answer('text/html'),
      storage.run('page', () => Promise.reject(new Error('It failed'))),
    );
    await expect(failed).rejects.toThrow('It failed');
    await expect.poll(() => contexts.active, { timeout: 10_000 }).toBe(false);
  });

  it('also disables those that React requires, but not those that another library does', async () => {
    const contexts = new PageContexts();
    contexts.install();
    const make = `(require) => new (require('async_hooks').AsyncLocalStorage)()`;
    const create = (filename: string) =>
      runInThisContext(make, { filename })(require) as AsyncLocalStorage<string>;
    const ofReact = create('/app/node_modules/next/dist/compiled/next-server/app-page.js');
    const ofOthers = create('/app/node_modules/@opentelemetry/context-async-hooks/index.js');
    await ofOthers.run('kept', async () => {
      await contexts.follow(
        answer('text/html'),
        ofReact.run('page', () => Promise.resolve()),
      );
      expect(contexts.active).toBe(true);
      await expect.poll(() => contexts.active, { timeout: 10_000 }).toBe(false);
      expect(ofOthers.getStore()).toBe('kept');
    });
    ofOthers.disable();
  });

  it('does not affect contexts of other code', async () => {
    const contexts = new PageContexts();
    contexts.install();
    const others = new AsyncLocalStorage<string>();
    await others.run('kept', async () => {
      await contexts.follow(
        answer('text/html'),
        pageStorage().run('page', () => Promise.resolve()),
      );
      await expect.poll(() => contexts.active, { timeout: 10_000 }).toBe(false);
      expect(others.getStore()).toBe('kept');
    });
    others.disable();
  });
});
