import { describe } from 'vitest';
import { describeCallFunctions } from '../testing/call-properties';

describe('the SQL functions of calls', () => describeCallFunctions({ modelled: 60, atOnce: 40 }));
