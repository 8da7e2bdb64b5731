import { it } from 'vitest';
import { checkReloads, setUpReloads } from './testing/reload-sequences';

setUpReloads();

it('keeps charges and credits equal in ten random sequences of losses, declines and changes', () =>
  checkReloads(10));
