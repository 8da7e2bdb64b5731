import type { Observer } from './observe/observer';
import type { Ports } from './ports/ports';
import type { BootedSettings } from './settings/settings';

declare module '../core/runtime' {
  interface Runtime {
    readonly settings: BootedSettings;
    readonly ports: Ports;
    /** What operators see: request log, health, metrics, traces. */
    readonly observer: Observer;
  }
}
