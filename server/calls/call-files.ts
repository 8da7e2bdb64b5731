import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ensureRoom, keepOutput, OutputRefused, removeOutputs } from '../assets/keep-output';
import { makeScratch, removeScratch } from '../assets/scratch';
import { InputError, SkillError } from '../core/errors/skill-error';
import type { Runtime } from '../core/runtime';
import { createScratchFile, readScratchFile } from '../tools/sdk/scratch-files';
import type { CallFiles, InputFile, SavedAsset } from '../tools/sdk/skill-context';
import { fetchInput } from './fetch-input';
import type { OpenedCall } from './open-call';

const MIB = 1024 * 1024;
/** What one call may make. */
const MAX_SAVED_FILES = 200;
const MAX_SAVED_BYTES = 512 * MIB;
/** Inputs and files on the way of one call; each has its own bound beside. */
const MAX_FILES = 2_000;
const EXTENSION = /^[a-z0-9]{1,16}$/;

/**
 * The files of one attempt, in a folder that is made with the first of them and goes when the
 * attempt ends.
 */
export class CallFolder implements CallFiles {
  readonly #runtime: Runtime;
  readonly #call: OpenedCall;
  #folder: Promise<string> | undefined;
  #files = 0;
  readonly #saved = new Set<string>();
  #savedBytes = 0;
  #saving: Promise<unknown> = Promise.resolve();
  /** Stops what is still on its way to the folder when the attempt ends. */
  readonly #over = new AbortController();

  constructor(runtime: Runtime, call: OpenedCall) {
    this.#runtime = runtime;
    this.#call = call;
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
    if (this.#files >= MAX_FILES) throw new InputError(`A call works with ${MAX_FILES} files at most.`);
    const plain = extension.replace(/^\./, '');
    if (plain !== '' && !EXTENSION.test(plain)) throw new Error(`Not an extension: ${extension}`);
    const name = `${this.#files++}${plain && `.${plain}`}`;
    this.#folder ??= makeScratch(this.#runtime, this.#call.id);
    return join(await this.#folder, name);
  }

  async ensureRoom(bytes: number): Promise<void> {
    await inOurWords(ensureRoom(this.#runtime, this.#call.keyId, bytes));
  }

  /** One at a time: what the call has made so far bounds what it may still make. */
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
    this.#over.signal.throwIfAborted();
    if (this.#saved.size >= MAX_SAVED_FILES)
      throw new InputError(`A call makes ${MAX_SAVED_FILES} files at most. Ask for fewer.`);
    const { id: callId, keyId, tool, skill } = this.#call;
    const sizeBytes = 'path' in content ? (await lstat(content.path)).size : content.bytes.byteLength;
    const limit = Math.min(this.#runtime.settings.uploadLimitMib * MIB, MAX_SAVED_BYTES - this.#savedBytes);
    if (sizeBytes > limit)
      throw new InputError(
        `The result is larger than the ${Math.floor(limit / MIB)} MiB a call may still make.`,
      );
    const kept = await inOurWords(
      keepOutput(this.#runtime, {
        keyId,
        madeBy: { callId, tool: tool.name, skill: skill.name },
        bytes: 'path' in content ? readScratchFile(content.path) : inOnePiece(content.bytes),
        sizeBytes,
        contentType: as.contentType,
        // A provider may have named the file after what it was asked with.
        filename: this.#call.credential?.redact(as.filename) ?? as.filename,
      }),
    );
    this.#saved.add(kept.asset_id);
    this.#savedBytes += kept.size_bytes;
    return kept;
  }

  /** The attempt is over: its folder goes, and the assets it made where they are nobody's. */
  async end(keep: boolean): Promise<void> {
    this.#over.abort(new SkillError('The call has ended.'));
    await this.#saving;
    if (this.#folder) await removeScratch(await this.#folder);
    if (!keep && this.#saved.size > 0) await removeOutputs(this.#runtime, this.#call.id, this.#saved);
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function inOurWords<T>(keeping: Promise<T>): Promise<T> {
  try {
    return await keeping;
  } catch (error) {
    if (error instanceof OutputRefused) throw new InputError(error.message);
    throw error;
  }
}
