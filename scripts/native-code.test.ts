import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const table = readFileSync(join(root, 'docs/native-code.md'), 'utf8');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version?: string; dev?: boolean }>;
};
/** The platform suffix of a package's name. */
const MACHINE = /-(linux|linuxmusl|darwin|win32|freebsd|openbsd|android|wasm32)(-[\w-]+)?$/;

/** Production packages with machine code or WebAssembly, by their name in the table. */
function findNativePackages(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(join(root, 'node_modules'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(node|wasm)$/.test(file)) continue;
    const path = /^(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? file;
    const locked = packages[`node_modules/${path}`];
    if (!locked?.version || locked.dev) continue;
    found.set(path.replace(/.*node_modules\//, '').replace(MACHINE, '-*'), locked.version);
  }
  return found;
}

const nativePackages = findNativePackages();

it('lists every production package with native code in docs/native-code.md, with its version @F2', () => {
  expect(nativePackages.size).toBeGreaterThan(5);
  for (const [name, version] of nativePackages)
    expect(table, `docs/native-code.md: add or correct ${name} ${version}`).toMatch(
      new RegExp(`^\\| \`${escapeForRegExp(name)}\` +\\| ${escapeForRegExp(version)} `, 'm'),
    );
});

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
