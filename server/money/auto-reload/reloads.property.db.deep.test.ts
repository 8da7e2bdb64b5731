import { it } from 'vitest';
import { checkReloads, setUpReloads } from './testing/reload-sequences';

setUpReloads();

it('in forty sequences of whatever is lost, declined or switched off charges are credits', () =>
  checkReloads(40));
