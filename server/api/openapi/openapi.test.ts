import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fromRoot } from '../../kit/from-root';
import { openApiJson } from './openapi';

it('openapi.json is the document of these routes: `npm run openapi` writes it', () => {
  const committed = readFileSync(fromRoot('openapi.json'), 'utf8');
  // Not `toBe`: the message would have a million characters.
  expect(committed === openApiJson(), 'openapi.json is stale').toBe(true);
});
