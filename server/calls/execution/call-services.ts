import type { Runtime } from '../../core/runtime';
import type { OutboundFetch } from '../../platform/ports/outbound-fetch';
import type {
  CallBrowser,
  CallFiles,
  Checkpoint,
  ProviderClient,
  SkillServices,
} from '../../tools/sdk/skill-context';
import type { CallFolder } from '../files/call-folder';
import { toJobId } from '../jobs/job-ids';
import type { PreparedCall } from '../prepare/prepare-call';
import type { AdmissionGate } from './admission-gate';
import { createCallProvider } from './call-provider';
import { findCheckpoint, saveCheckpoint } from './checkpoint-store';

const MAX_CHECKPOINT_BYTES = 4 * 1024 * 1024;

/**
 * What happens to the files that an attempt saved when it ends:
 * `keep`: the call succeeded, or another process continues it;
 * `transferred`: removes only those of this attempt, because another attempt ended the call;
 * `discard`: removes those of all attempts, because the call failed.
 */
export type FileDisposition = 'keep' | 'transferred' | 'discard';

/** The services of one attempt. Each is created when the handler first uses it. */
export class CallServices implements SkillServices {
  readonly #runtime: Runtime;
  readonly #call: PreparedCall;
  readonly #resumed: boolean;
  readonly #gate: AdmissionGate | undefined;
  #folder: CallFolder | undefined;
  #provider: ProviderClient | undefined;
  #checkpoint: Checkpoint | undefined;
  #ownKeyUsed: boolean;

  /**
   * @param resumed an earlier attempt started and died with its process
   * @param gate of a call that may not be admitted yet
   */
  constructor(runtime: Runtime, call: PreparedCall, resumed: boolean, gate?: AdmissionGate) {
    this.#runtime = runtime;
    this.#call = call;
    this.#resumed = resumed;
    this.#gate = gate;
    // An earlier attempt may already have sent requests with that key.
    this.#ownKeyUsed = resumed && call.credential?.isByok === true;
  }

  get fetch(): OutboundFetch {
    return this.#call.tool.outbound ?? this.#runtime.ports.outbound;
  }

  get browser(): CallBrowser {
    return this.#runtime.ports.browser;
  }

  get files(): CallFiles {
    this.#folder ??= this.#runtime.callFiles.createFolder(this.#call, this.#gate);
    return this.#folder;
  }

  get provider(): ProviderClient {
    this.#provider ??= createCallProvider(this.#runtime, this.#call, () => {
      this.#ownKeyUsed = true;
    });
    return this.#provider;
  }

  get checkpoint(): Checkpoint {
    this.#checkpoint ??= createCheckpoint(this.#runtime, this.#call);
    return this.#checkpoint;
  }

  /**
   * Whether a request was sent with the caller's own credential: only then the BYOK rate applies
   * (threats A22).
   */
  get ownKeyUsed(): boolean {
    return this.#ownKeyUsed;
  }

  /** Ends the attempt: removes its folder and the files that the FileDisposition says to remove. */
  async end(left: FileDisposition): Promise<void> {
    if (this.#folder) await this.#folder.end(left === 'keep');
    if (left === 'discard' && this.#resumed) await this.#runtime.callFiles.removeOutputs(this.#call.id);
  }
}

/** Checkpoints of a queued call, for the attempt after a crash. Other calls do not store them. */
function createCheckpoint(
  { sql, flush }: Pick<Runtime, 'flush' | 'sql'>,
  { id }: Pick<PreparedCall, 'id'>,
): Checkpoint {
  return {
    load: () => findCheckpoint(sql, id),
    async save(state) {
      const json = JSON.stringify(state) ?? 'null';
      if (Buffer.byteLength(json) > MAX_CHECKPOINT_BYTES)
        throw new Error(`A checkpoint is larger than ${MAX_CHECKPOINT_BYTES} bytes`);
      await saveCheckpoint(sql, { id, jobId: toJobId(id) }, flush.fence, json);
    },
  };
}
