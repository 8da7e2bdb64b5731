import { removeOutputs } from '../../assets/store-output';
import type { Runtime } from '../../core/runtime';
import type { AdmissionGate } from '../execution/admission-gate';
import type { PreparedCall } from '../prepare/prepare-call';
import { CallFolder } from './call-folder';

/** The files of calls: what their handlers open, write and save. */
export class CallFileStore {
  readonly #runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>;

  constructor(runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>) {
    this.#runtime = runtime;
  }

  /**
   * Creates the files of one attempt.
   * @param gate of a call that may not be admitted yet
   */
  createFolder(call: PreparedCall, gate?: AdmissionGate): CallFolder {
    return new CallFolder(this.#runtime, call, gate);
  }

  /** Removes what all attempts at a call have saved. */
  async removeOutputs(callId: string): Promise<void> {
    await removeOutputs(this.#runtime, callId);
  }
}
