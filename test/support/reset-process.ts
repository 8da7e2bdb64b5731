import { configureGlobal } from 'fast-check';
import { rowChecks } from '@/db/rows';
import { setWorkerNiceness } from '@/server/platform/confinement/run-nice';
import { setProgramPaths } from '@/server/platform/workers/programs';

// Runs before each test file, because files share processes. At a low priority, workers would get
// no CPU while lint, the build or other test files run.
setWorkerNiceness(0);
setProgramPaths({ ffmpeg: null });
rowChecks.strict = true;
// A second try of a property gets the same inputs.
if (process.env.TEST_SEED) configureGlobal({ seed: Number(process.env.TEST_SEED) });
