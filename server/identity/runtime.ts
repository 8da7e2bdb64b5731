import type { KeyMemory } from './keys/key-memory';

declare module '../core/runtime' {
  interface Runtime {
    readonly keyMemory: KeyMemory;
  }
}
