import { it } from 'vitest';
import { createRecordings } from './testing/recordings';

const { missing, expectLengthMeasured } = createRecordings();

it.skipIf(missing)('measures a recording of three hours in less than 2 MiB before sending it', () =>
  expectLengthMeasured(10_800),
);
