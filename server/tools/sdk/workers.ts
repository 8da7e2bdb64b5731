/** Processes for heavy work: worker pools and external programs. */
export { findChromium } from '../../platform/ports/find-chromium';
export { findPlaceOwner, runInWorker, spendCompute } from '../../platform/workers/cpu-pool';
export { whyNoNativeSql } from '../../platform/workers/native-sql';
export {
  boundMemory,
  confineMediaProgram,
  findProgram,
  killGroup,
  wasKilled,
} from '../../platform/workers/programs';
export { WorkerPlaces } from '../../platform/workers/worker-places';
