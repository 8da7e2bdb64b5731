import { it } from 'vitest';
import { checkReloads, setUpReloads } from './testing/reload-sequences';

setUpReloads();

it('whatever is lost, declined or switched off: charges are credits, and no two reloads are open', () =>
  checkReloads(5));
