import type { KeyCache } from './keys/key-cache';

declare module '../core/runtime' {
  interface Runtime {
    readonly keyCache: KeyCache;
  }
}
