/** FUZZ_RUNS multiplies the number of requests. FUZZ_SEED repeats the run that printed the seed. */
export const FUZZ_TIMES = Number(process.env.FUZZ_RUNS ?? 1);
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? process.env.TEST_SEED ?? Date.now() % 2 ** 31);

/** Time limit of a test with this many runs. */
export const fuzzTimeoutMs = (runs: number) => 60_000 + runs * 5_000;
