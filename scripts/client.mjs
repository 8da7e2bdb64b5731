// Writes the types of the client (clients/cli/src/generated) from openapi.json; `--check` only compares.
import './typescript-5.mjs';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('..', import.meta.url);
const file = fileURLToPath(new URL('clients/cli/src/generated/openapi.ts', root));
const NOTE = '// Made from openapi.json by `npm run openapi`: change the procedures, not this file.\n\n';

/** @returns {Promise<string>} the types of every route and shape of openapi.json */
async function clientTypes() {
  // Loaded late: what imports this file for another reason needs no TypeScript 5.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  return NOTE + astToString(await openapiTS(new URL('openapi.json', root)));
}

/** Writes the types of the client as openapi.json is now. */
export async function writeClientTypes() {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await clientTypes());
  console.log('clients/cli/src/generated/openapi.ts written');
}

async function isStale() {
  try {
    return readFileSync(file, 'utf8') !== (await clientTypes());
  } catch {
    return true;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (!process.argv.includes('--check')) await writeClientTypes();
  else if (await isStale()) {
    console.error('The types of the client are not those of openapi.json: run npm run openapi.');
    process.exit(1);
  }
}
