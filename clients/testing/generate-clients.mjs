// Generates two clients from an OpenAPI document: `node generate-clients.mjs <document> <folder>`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installOnDemand } from '../../scripts/on-demand.mjs';

const [document = '', folder = ''] = process.argv.slice(2);
const packages = pathToFileURL(installOnDemand('openapi')).href;

const { default: openapiTS, astToString } = await import(`${packages}openapi-typescript/dist/index.mjs`);
writeFileSync(join(folder, 'openapi.ts'), astToString(await openapiTS(pathToFileURL(document))));

const { createClient } = await import(`${packages}@hey-api/openapi-ts/dist/index.mjs`);
await createClient({
  input: document,
  output: join(folder, 'hey'),
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
});
