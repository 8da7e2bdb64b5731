import type { GroupState } from '../../kit/web-process-group';
import type { StopOptions } from '../boot/serve';

/** For an answer that needs no work. */
export const IPC_MS = 5_000;

/** What a web process asks of its primary. */
export interface PrimaryMethods {
  /** The environment after the boot: database, secrets, port. Not in the environment of the fork,
   * which other programs of the same user could read. */
  readEnvironment(): { env: Record<string, string>; state: GroupState };
  /** Frees the port if the primary itself holds it. */
  prepareToListen(): Promise<void>;
  reportReady(): void;
  /** After SIGTERM to one web process: it is drained once another one has replaced it. */
  requestReplacement(): void;
  isAnotherReady(): Promise<boolean>;
  collectMetrics(): Promise<string>;
  /** The counters of a process that ends. */
  saveMetrics(metrics: object[]): void;
}

/** What the primary asks of a web process. */
export interface WebProcessMethods {
  ping(): void;
  setState(state: GroupState): void;
  /** Stops accepting, finishes what runs, and exits. */
  drain(options: StopOptions): void;
  readMetrics(): Promise<object[]>;
  readFailedChecks(): Promise<readonly string[]>;
  createSignInLink(): Promise<string | null>;
}
