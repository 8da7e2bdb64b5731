// Generates the client's types and the names of call limits (clients/cli/src/generated) from
// openapi.json; `--check` compares only.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installOnDemand } from './on-demand.mjs';

const root = new URL('..', import.meta.url);
const file = fileURLToPath(new URL('clients/cli/src/generated/openapi.ts', root));
const NOTE = '// Made from openapi.json by `npm run openapi`: change the procedures, not this file.\n\n';

/** @returns {Promise<string>} the types of every route and schema, and RATE_LIMITS */
async function clientTypes() {
  const generator = pathToFileURL(`${installOnDemand('openapi')}openapi-typescript/dist/index.mjs`);
  const { default: openapiTS, astToString } = await import(generator.href);
  const document = new URL('openapi.json', root);
  const { components } = JSON.parse(readFileSync(document, 'utf8'));
  const [limits] = components.schemas.CreateKeyRequest.properties.rate_limits.anyOf;
  const names = JSON.stringify(Object.keys(limits.properties));
  const types = astToString(await openapiTS(document));
  return `${NOTE}${types}\n/** The fields of rate_limits. */\nexport const RATE_LIMITS = ${names} as const;\n`;
}

/** Writes the client's types for the current openapi.json. */
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
    console.error('The client types do not match openapi.json: run npm run openapi.');
    process.exit(1);
  }
}
