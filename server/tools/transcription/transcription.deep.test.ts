import { it } from 'vitest';
import { createRecordings } from '../../testing/tools/recordings';

const { missing, expectLengthMeasured } = createRecordings();

it.skipIf(missing)('a recording of three hours in less than 2 MiB is measured before it is sent', () =>
  expectLengthMeasured(10_800),
);
