import { it } from 'vitest';
import { checkRandomSchemas } from './testing/random-schemas';

it('random schemas are within the subset of each API, or have no definition', () => checkRandomSchemas(1000));
