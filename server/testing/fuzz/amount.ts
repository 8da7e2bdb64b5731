/** FUZZ_RUNS multiplies the number of requests; a failure prints the seed that FUZZ_SEED takes. */
export const FUZZ_TIMES = Number(process.env.FUZZ_RUNS ?? 1);
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** How long a test of so many runs may take. */
export const fuzzTimeoutMs = (runs: number) => 60_000 + runs * 1_000;
