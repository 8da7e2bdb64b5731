import { setWorkerNiceness } from '../confinement/run-nice';

// At a low priority, workers get no processor while lint, the build or other test files have them.
setWorkerNiceness(0);
