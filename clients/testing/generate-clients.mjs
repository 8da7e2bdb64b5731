// Makes two clients from an OpenAPI document: `node generate-clients.mjs <document> <folder>`. For
// clients/generated-clients.db.deep.test.ts, in a process of its own: the generators need TypeScript 5.
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
