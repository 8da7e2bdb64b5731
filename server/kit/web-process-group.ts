/** `starting` until all web processes have been ready once. */
export type GroupState = 'starting' | 'ready' | 'stopping';

/** The web processes behind one port, as seen by one of them. */
export interface WebProcessGroup {
  readonly state: GroupState;
  /** Whether another web process passes its checks. */
  isAnotherReady(): Promise<boolean>;
  /** Renders the metrics of all. */
  collectMetrics(): Promise<string>;
}
