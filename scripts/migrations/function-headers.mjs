// The headers of SQL functions: what callers rely on.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FUNCTION = /CREATE OR REPLACE FUNCTION (\w+)\s*(\([\s\S]*?)\s+LANGUAGE\b/g;
const TEST = /\.test\.|\/testing\//;

/**
 * @param {string} folder db/functions
 * @returns {Map<string, string>} parameters and result, by function
 * @throws Error where a file does not define exactly the function it is named after
 */
export function readHeaders(folder) {
  const headers = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    const [first, ...more] = parseHeaders(readFileSync(join(folder, file), 'utf8'));
    if (!first || more.length > 0 || `${first.name}.sql` !== file)
      throw new Error(`db/functions/${file} must define one function, ${file.replace('.sql', '')}`);
    headers.set(first.name, first.header);
  }
  return headers;
}

/**
 * @param {string} text SQL
 * @returns {{ name: string, header: string }[]} without comments, on one line
 */
export function parseHeaders(text) {
  const bare = text.replace(/--.*$/gm, '');
  return [...bare.matchAll(FUNCTION)].map(([, name = '', header = '']) => ({
    name,
    header: header.replace(/\s+/g, ' ').replace(/\( | \)/g, (bracket) => bracket.trim()),
  }));
}

/**
 * The functions that the program itself calls, which a version next to it must not change.
 * @param {Map<string, string>} headers
 * @param {string} root
 * @returns {Record<string, string>}
 */
export function selectCalled(headers, root) {
  const files = execFileSync('git', ['ls-files', 'server', 'db'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(ts|mjs)$/.test(file) && !TEST.test(file));
  const program = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return Object.fromEntries([...headers].filter(([name]) => new RegExp(`\\b${name}\\(`).test(program)));
}

/**
 * @param {Readonly<Record<string, string>>} released
 * @param {Map<string, string>} headers
 * @returns {string[]} released functions that the previous version could no longer call
 */
export function findChangedHeaders(released, headers) {
  return Object.entries(released)
    .filter(([name, header]) => headers.get(name) !== header)
    .map(([name]) =>
      headers.has(name)
        ? `${name}: the last release calls it with another signature; give the new one another name`
        : `${name}: the last release calls it; remove it one release later`,
    );
}
