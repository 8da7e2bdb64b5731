import type { Engines } from './sdk/engines';
import type { ToolLookup } from './tool-lookup';

declare module '../core/runtime' {
  interface Runtime {
    readonly tools: ToolLookup;
    readonly engines: Engines;
  }
}
