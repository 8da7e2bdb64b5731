// Parses the subset of Dockerfile and .dockerignore syntax that this repository uses.
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

export interface Instruction {
  name: string;
  words: string[];
  /** The text after the name. */
  text: string;
}

export function readDockerfile(path: string): Instruction[] {
  const text = readFileSync(path, 'utf8')
    .replace(/^\s*#.*$/gm, '')
    .replace(/\\\n/g, ' ');
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`Invalid Dockerfile instruction: ${line}`);
      return { name, words: rest.split(/\s+/), text: rest };
    });
}

/** Copies from the build context like Docker: the content of a folder, without ignored files. */
export function copyContext(context: string, path: string, to: string): void {
  const ignored = readIgnored(join(context, '.dockerignore'));
  const source = join(context, path);
  if (!existsSync(source)) throw new Error(`COPY: ${path} does not exist`);
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

function readIgnored(path: string): RegExp[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      if (/[!?[\]]/.test(line)) throw new Error(`.dockerignore: the pattern ${line} is not supported`);
      const pattern = line
        .replace(/[.+^$()|{}]/g, '\\$&')
        .replaceAll('**/', '\u0000')
        .replaceAll('*', '[^/]*')
        .replaceAll('\u0000', '(?:.*/)?');
      return new RegExp(`^${pattern}(?:/|$)`);
    });
}
