import { removeOutputs } from '../assets/keep-output';
import type { Runtime } from '../core/runtime';
import type { OutboundFetch } from '../platform/ports/outbound-fetch';
import type {
  CallBrowser,
  CallFiles,
  Checkpoint,
  ProviderClient,
  SkillServices,
} from '../tools/sdk/skill-context';
import { createCallCheckpoint } from './call-checkpoint';
import { CallFolder } from './call-files';
import { createCallProvider } from './call-provider';
import type { OpenedCall } from './open-call';

/**
 * What is left of the files that a call has made: all of them; `others'`, where another attempt has the call, or had; or
 * none, where it ended for nothing.
 */
export type LeftFiles = 'kept' | "others'" | 'none';

/** What one attempt is served with. Each part is made when the handler asks for it: most ask for none. */
export class CallServices implements SkillServices {
  readonly #runtime: Runtime;
  readonly #call: OpenedCall;
  #folder: CallFolder | undefined;
  #provider: ProviderClient | undefined;
  #checkpoint: Checkpoint | undefined;
  #ownKeyUsed: boolean;

  constructor(runtime: Runtime, call: OpenedCall) {
    this.#runtime = runtime;
    this.#call = call;
    // What the attempt before a crash has asked for was asked with that key.
    this.#ownKeyUsed = call.resumed && call.credential?.isOwn === true;
  }

  get fetch(): OutboundFetch {
    return this.#call.tool.outbound ?? this.#runtime.ports.outbound;
  }

  get browser(): CallBrowser {
    return this.#runtime.ports.browser;
  }

  get files(): CallFiles {
    this.#folder ??= new CallFolder(this.#runtime, this.#call);
    return this.#folder;
  }

  get provider(): ProviderClient {
    this.#provider ??= createCallProvider(this.#runtime, this.#call, () => {
      this.#ownKeyUsed = true;
    });
    return this.#provider;
  }

  get checkpoint(): Checkpoint {
    this.#checkpoint ??= createCallCheckpoint(this.#runtime, this.#call);
    return this.#checkpoint;
  }

  /** Whether a request went out with the client's own credential: only then the call costs their share (threats A22). */
  get ownKeyUsed(): boolean {
    return this.#ownKeyUsed;
  }

  /** The attempt is over: its folder goes, and of what the call has made what is nobody's. */
  async end(left: LeftFiles): Promise<void> {
    await this.#folder?.end(left === 'kept');
    if (left === 'none' && this.#call.resumed) await removeOutputs(this.#runtime, this.#call.id);
  }
}
