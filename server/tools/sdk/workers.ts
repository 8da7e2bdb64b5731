/** Processes for heavy work: worker pools and external programs. */
export { hasBrowser } from '../../platform/ports/find-chromium';
export { findSlotOwner as findPlaceOwner, spendCompute } from '../../platform/workers/compute-spending';
export { runInWorker } from '../../platform/workers/cpu-pool';
export { findUnconfinedSql } from '../../platform/workers/native-sql';
export {
  confineMediaProgram,
  findProgram,
  killGroup,
  limitMemory as boundMemory,
  wasKilled,
} from '../../platform/workers/programs';
export { WorkerScheduler as WorkerPlaces } from '../../platform/workers/worker-scheduler';
