import { it } from 'vitest';
import { checkReloads, setUpReloads } from './testing/reload-sequences';

setUpReloads();

it('keeps charges and credits equal, with one open reload at most, whatever is lost, declined or switched off @A16', () =>
  checkReloads(5));
