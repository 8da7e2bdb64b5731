import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseTarget } from '../../main/boot/request-target';
import { allowedMethods, isMisdirected, isPagePath } from './page-methods';
import { collectRoutes } from './routes';

const app = fileURLToPath(new URL('../../../app', import.meta.url));

/** Paths of the route files, with an example for each parameter, and the methods they export. */
const routes = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|[\\/])route\.ts$/.test(file))
  .map((file) => {
    const folder = file.split(sep).slice(0, -1);
    const path = folder.filter((name) => !name.startsWith('(')).map((name) => name.replace(/^\[.*\]$/, 'x'));
    const text = readFileSync(join(app, file), 'utf8');
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) =>
      new RegExp(`^export .*\\b${method}\\b`, 'm').test(text),
    );
    return { path: `/${path.join('/')}`, methods };
  });

it('allows exactly the exported methods of every route file behind Next', () => {
  const behindNext = routes.filter(({ path }) => {
    const target = parseTarget(path);
    return 'kind' in target && target.kind !== 'api';
  });
  expect(behindNext.length).toBeGreaterThan(10);
  for (const { path, methods } of behindNext) {
    const read = methods.includes('GET') ? ['GET', 'HEAD'] : [];
    expect(allowedMethods(path), path).toEqual([...read, ...methods.filter((method) => method !== 'GET')]);
  }
});

/** The path of every page and route file behind Next, with an example for each parameter. */
function listNextPaths(): string[] {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
  return files.flatMap((file) => {
    if (!/(^|[\\/])(?:page\.tsx|route\.tsx?)$/.test(file)) return [];
    const folder = file.split(sep).slice(0, -1);
    const parts = folder.filter((name) => !name.startsWith('(')).map((name) => name.replace(/^\[.*\]$/, 'x'));
    const target = parseTarget(`/${parts.join('/')}`);
    return 'kind' in target && target.kind !== 'api' ? [target.path] : [];
  });
}

describe('a request of a program', () => {
  it('reaches every page and route behind Next', () => {
    const paths = [...listNextPaths(), '/icon.svg', '/manifest.webmanifest', '/robots.txt', '/sitemap.xml'];
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !isPagePath(path))).toEqual([]);
  });

  it('for a route without its prefix is answered by the dispatcher, of a browser by a page', () => {
    const get = (path: string, accept: string, more = {}) =>
      isMisdirected({ method: 'GET', headers: { accept, ...more } }, path);
    const paths = collectRoutes()
      .map(({ template }) => template.slice('/v1'.length))
      .filter((path) => /^\/\w+\//.test(path) && !path.includes('{'));
    expect(paths.length).toBeGreaterThan(10);
    for (const path of [...paths, '/api/tools', '/tool', '/api', '/sse']) {
      expect(get(path, '*/*'), path).toBe(true);
      expect(get(path, 'text/html,*/*;q=0.8'), path).toBe(false);
      expect(get(path, '*/*', { rsc: '1' }), path).toBe(false);
    }
    expect(get('/tools/text', '*/*')).toBe(false);
  });
});

it('has no page with a server action, which would accept POST', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  for (const folder of ['app', 'components', 'server'])
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (/\.tsx?$/.test(file))
        expect(/^\s*['"]use server['"]/m.test(readFileSync(join(root, folder, file), 'utf8')), file).toBe(
          false,
        );
});
