// Reads a Dockerfile and a .dockerignore: as much of both as ours use.
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** @typedef {{ name: string, words: string[], text: string }} Step */

/** @param {string} path @returns {Step[]} */
export function readDockerfile(path) {
  const text = readFileSync(path, 'utf8')
    .replace(/^\s*#.*$/gm, '')
    .replace(/\\\n/g, ' ');
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`The Dockerfile has a line that is no instruction: ${line}`);
      const words = rest.split(/\s+/);
      return { name, words: name === 'FROM' ? [words[0] ?? '', 'AS', words[2] ?? ''] : words, text: rest };
    });
}

/**
 * Copies from the context as Docker does: a folder's content, without what .dockerignore names.
 * @param {string} context
 * @param {string} path
 * @param {string} to
 */
export function copyContext(context, path, to) {
  const ignored = readIgnored(join(context, '.dockerignore'));
  const source = join(context, path);
  if (!existsSync(source)) throw new Error(`COPY: there is no ${path}`);
  mkdirSync(to, { recursive: true });
  const target = statSync(source).isDirectory() ? to : join(to, basename(path));
  cpSync(source, target, {
    recursive: true,
    filter: (from) => {
      const inside = relative(context, from);
      return inside === '' || !ignored.some((pattern) => pattern.test(inside));
    },
  });
}

/** @param {string} path @returns {RegExp[]} */
export function readIgnored(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      if (/[!?[\]]/.test(line)) throw new Error(`.dockerignore: ${line} is not known here`);
      const pattern = line
        .replace(/[.+^$()|{}]/g, '\\$&')
        .replaceAll('**/', '\u0000')
        .replaceAll('*', '[^/]*')
        .replaceAll('\u0000', '(?:.*/)?');
      return new RegExp(`^${pattern}(?:/|$)`);
    });
}
