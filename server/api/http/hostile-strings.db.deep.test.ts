import { afterAll, beforeAll, it } from 'vitest';
import type { EndpointFuzz } from '@/test/support/fuzz/endpoints';
import {
  expectOnlyString,
  expectUnchanged,
  INJECTIONS,
  STRING_PLACES,
  startStringPlaces,
} from '@/test/support/fuzz/string-places';

let doors: EndpointFuzz;
beforeAll(async () => {
  doors = await startStringPlaces();
});
afterAll(() => doors.close());

it.each(STRING_PLACES)('SQL is only a string as %s', async (_, place) => {
  for (const text of INJECTIONS) await expectOnlyString(place, text);
});

it('SQL in strings changes nothing', expectUnchanged);
