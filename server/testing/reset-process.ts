import { setWorkerNiceness } from '../platform/confinement/run-nice';
import { setProgramPaths } from '../platform/workers/programs';

// Before each file: files share processes, and what one of them set must not reach the next.
// At a low priority, workers get no processor while lint, the build or other files have them.
setWorkerNiceness(0);
setProgramPaths({ ffmpeg: null });
