import { it } from 'vitest';
import { checkReloads, setUpReloads } from './testing/reload-sequences';

setUpReloads();

it('keeps charges and credits equal in forty random sequences of losses, declines and changes', () =>
  checkReloads(40));
