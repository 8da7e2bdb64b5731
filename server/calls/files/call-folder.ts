import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeScratch, removeScratch } from '../../assets/scratch';
import { ensureSpace, OutputRefused, removeOutputs, storeOutput } from '../../assets/store-output';
import { InputError, SkillError } from '../../core/errors/skill-error';
import type { Runtime } from '../../core/runtime';
import { createScratchFile, readScratchFile } from '../../tools/sdk/scratch-files';
import type { CallFiles, InputFile, SavedAsset } from '../../tools/sdk/skill-context';
import type { AdmissionGate } from '../execution/admission-gate';
import type { PreparedCall } from '../prepare/prepare-call';
import { fetchInput } from './fetch-input';

const MIB = 1024 * 1024;
/** Limits on the files one call may create. */
const MAX_SAVED_FILES = 200;
const MAX_SAVED_BYTES = 512 * MIB;
/** Input and intermediate files of one call; each also has its own size limit. */
const MAX_FILES = 2_000;
const EXTENSION = /^[a-z0-9]{1,16}$/;

/**
 * The files of one attempt. The scratch folder is created with the first file and removed when the
 * attempt ends.
 */
export class CallFolder implements CallFiles {
  readonly #runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>;
  readonly #call: PreparedCall;
  readonly #gate: AdmissionGate | undefined;
  #folder: Promise<string> | undefined;
  #files = 0;
  readonly #saved = new Set<string>();
  #savedBytes = 0;
  #saving: Promise<unknown> = Promise.resolve();
  /** Aborts pending writes to the folder when the attempt ends. */
  readonly #over = new AbortController();

  /** @param gate of a call that may not be admitted yet */
  constructor(
    runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
    call: PreparedCall,
    gate?: AdmissionGate,
  ) {
    this.#runtime = runtime;
    this.#call = call;
    this.#gate = gate;
  }

  async open(reference: string, { maxBytes }: { maxBytes: number }): Promise<InputFile> {
    const limit = Math.min(maxBytes, this.#runtime.settings.uploadLimitMib * MIB);
    const source = await fetchInput(this.#runtime, reference, limit, this.#over.signal);
    const path = await this.scratch();
    const { sizeBytes, contentType } = await source.writeTo((bytes) =>
      createScratchFile(path).then((file) => pipeline(bytes, file, { signal: this.#over.signal })),
    );
    return { path, sizeBytes, contentType, filename: source.filename };
  }

  async scratch(extension = ''): Promise<string> {
    this.#over.signal.throwIfAborted();
    if (this.#files >= MAX_FILES) throw new InputError(`A call can use at most ${MAX_FILES} files.`);
    const plain = extension.replace(/^\./, '');
    if (plain !== '' && !EXTENSION.test(plain)) throw new Error(`Not an extension: ${extension}`);
    const name = `${this.#files++}${plain && `.${plain}`}`;
    this.#folder ??= makeScratch(this.#runtime, this.#call.id);
    return join(await this.#folder, name);
  }

  async ensureRoom(bytes: number): Promise<void> {
    await translateRefusal(ensureSpace(this.#runtime, this.#call.keyId, bytes));
  }

  /** Saves one file at a time, because the limits apply to the sum of the saved files. */
  save(
    content: { path: string } | { bytes: Uint8Array },
    as: { filename: string; contentType: string },
  ): Promise<SavedAsset> {
    const saving = this.#saving.then(() => this.#save(content, as));
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  async #save(
    content: { path: string } | { bytes: Uint8Array },
    as: { filename: string; contentType: string },
  ): Promise<SavedAsset> {
    await this.#gate?.pass();
    this.#over.signal.throwIfAborted();
    if (this.#saved.size >= MAX_SAVED_FILES)
      throw new InputError(`A call can create at most ${MAX_SAVED_FILES} files. Request fewer.`);
    const { id: callId, keyId, tool, skill } = this.#call;
    const sizeBytes = 'path' in content ? (await lstat(content.path)).size : content.bytes.byteLength;
    const limit = Math.min(this.#runtime.settings.uploadLimitMib * MIB, MAX_SAVED_BYTES - this.#savedBytes);
    if (sizeBytes > limit)
      throw new InputError(
        `The result is larger than the ${Math.floor(limit / MIB)} MiB of files that this call may still create.`,
      );
    const stored = await translateRefusal(
      storeOutput(this.#runtime, {
        keyId,
        madeBy: { callId, tool: tool.name, skill: skill.name },
        bytes: 'path' in content ? readScratchFile(content.path) : toSingleChunk(content.bytes),
        sizeBytes,
        contentType: as.contentType,
        // A provider may have put the key it received into the file name.
        filename: this.#call.credential?.redact(as.filename) ?? as.filename,
      }),
    );
    this.#saved.add(stored.asset_id);
    this.#savedBytes += stored.size_bytes;
    return stored;
  }

  /** Ends the attempt: removes its folder and, unless `keep`, the assets it saved. */
  async end(keep: boolean): Promise<void> {
    this.#over.abort(new SkillError('The call has ended.'));
    await this.#saving;
    if (this.#folder) await removeScratch(await this.#folder);
    if (!keep && this.#saved.size > 0) await removeOutputs(this.#runtime, this.#call.id, this.#saved);
  }
}

async function* toSingleChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function translateRefusal<T>(storing: Promise<T>): Promise<T> {
  try {
    return await storing;
  } catch (error) {
    if (error instanceof OutputRefused) throw new InputError(error.message);
    throw error;
  }
}
