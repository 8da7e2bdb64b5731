import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Imports a program of `server/main`: compiled in the package of the server, through tsx elsewhere.
 * @param {'launch' | 'admin/admin' | 'worker/worker'} name
 */
export async function importMain(name) {
  const compiled = new URL(`../server/main/${name}.mjs`, import.meta.url);
  if (existsSync(compiled)) return await import(compiled.href);
  const { tsImport } = await import('tsx/esm/api');
  return await tsImport(`../server/main/${name}.ts`, {
    parentURL: import.meta.url,
    tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
  });
}
