// Generates two clients from an OpenAPI document: `node generate-clients.mjs <document> <folder>`.
// Runs in its own process because the generators need TypeScript 5.
import '../../scripts/typescript-5.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [document = '', folder = ''] = process.argv.slice(2);

const { default: openapiTS, astToString } = await import('openapi-typescript');
writeFileSync(join(folder, 'openapi.ts'), astToString(await openapiTS(pathToFileURL(document))));

const { createClient } = await import('@hey-api/openapi-ts');
await createClient({
  input: document,
  output: join(folder, 'hey'),
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
});
