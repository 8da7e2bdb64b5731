/**
 * Where a key stands in its windows. Windows are fixed, start with the first call in them and last whole minutes and
 * hours, so that `t` in the headers is the true time to a full quota (docs/decisions/0005).
 */
export interface WindowState {
  minuteUsed: number;
  /** Whole seconds to the end of the window; a fresh one where no call has started it. */
  minuteReset: number;
  hourUsed: number;
  hourReset: number;
}

export interface Quotas {
  perMinute: number;
  perHour: number;
  concurrent: number;
}
