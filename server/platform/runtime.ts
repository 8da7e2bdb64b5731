import type { Observer } from './observe/observer';
import type { Ports } from './ports/ports';
import type { BootedSettings } from './settings/settings';
import type { SpendingLimitReports } from './webhooks/spending-limit-reports';

declare module '../core/runtime' {
  interface Runtime {
    readonly settings: BootedSettings;
    readonly ports: Ports;
    /** What operators see: request log, health, metrics, traces. */
    readonly observer: Observer;
    readonly spendingLimits: SpendingLimitReports;
  }
}
