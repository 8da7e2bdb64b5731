import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CALL_WINDOWS } from './limits';

/** The table, and an example in openapi.json. */
const NAMING = ['server/api/openapi/openapi-examples.ts', 'server/core/limits/limits.ts'];

it('only the table names a window: settings, shapes, forms and the command line follow it', () => {
  const names = CALL_WINDOWS.flatMap(({ field, setting }) => [field, setting]);
  const named = new RegExp(`\\b(${names.join('|')})\\b`);
  const files = ['app', 'clients/cli/src/cli', 'components', 'server'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const code = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file));
  expect(code.length).toBeGreaterThan(1_000);
  expect(code.filter((file) => named.test(readFileSync(file, 'utf8'))).sort()).toEqual(NAMING);
});
