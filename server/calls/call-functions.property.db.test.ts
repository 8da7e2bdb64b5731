import { describe } from 'vitest';
import { describeCallFunctions } from '../testing/call-properties';

// A short run; the long one is call-functions.property.db.deep.test.ts.
describe('the SQL functions of calls', () => describeCallFunctions({ modelled: 8, atOnce: 4 }));
