import { FUZZ_TIMES } from '@/test/support/fuzz/amount';
import { fuzzSkills } from './testing/fuzz-skills';

// About 500 inputs; FUZZ_RUNS multiplies their number.
fuzzSkills(10 * FUZZ_TIMES);
