import { FUZZ_TIMES } from '../testing/fuzz/amount';
import { fuzzSkills } from '../testing/fuzz-skills';

// Some 500 inputs in all; FUZZ_RUNS multiplies how many there are.
fuzzSkills(10 * FUZZ_TIMES);
