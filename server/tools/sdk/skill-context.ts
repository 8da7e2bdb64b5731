export type { OutboundFetch } from '../../platform/ports/outbound-fetch';

import type { OutboundFetch } from '../../platform/ports/outbound-fetch';
import type { RenderedPage, RenderRequest } from '../../platform/ports/rendered-page';
/** A file input of a call, on the local disk until the attempt ends. */
export interface InputFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Detected from the content, never the client's claim; `application/octet-stream` if unknown. */
  readonly contentType: string;
  /** From the upload or the URL. For messages and names of outputs, never for paths. */
  readonly filename: string;
}

/** An asset created by a call, as outputs name it. */
export interface SavedAsset {
  readonly asset_id: string;
  /** Direct URL of the file. */
  readonly url: string;
  readonly page_url: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly filename: string;
}

/** The files of one call. They go through the disk, so that a large file is never all in memory. */
export interface CallFiles {
  /**
   * Resolves a file input to a file on disk.
   * @param reference from the caller: the id of an asset, or an http(s) URL
   * @param maxBytes the skill's limit, at most 100 MiB
   * @throws {SkillError} with a message for the caller: unknown asset, failed download, too large
   */
  open(reference: string, options: { maxBytes: number }): Promise<InputFile>;
  /** Returns a path for a new file in the call's folder, which is removed when the attempt ends. */
  scratch(extension?: string): Promise<string>;
  /**
   * Checks the storage quota. Call it before paying a provider for a file that could not be saved.
   * @throws {SkillError} if the caller's account has no room for this many bytes
   */
  ensureRoom(bytes: number): Promise<void>;
  /** Saves a file as an asset of the caller's account; discarded if the attempt fails. */
  save(
    content: { path: string } | { bytes: Uint8Array },
    as: { filename: string; contentType: string },
  ): Promise<SavedAsset>;
}

/**
 * The provider of this call, with the credential that the gateway chose. Skills never see a secret.
 */
export interface ProviderClient {
  /** `openai`, `brave`, …: one of the skill's requirements. */
  readonly slot: string;
  /** Whether the credential is the client's (BYOK), so the provider bills them. */
  readonly isByok: boolean;
  /** Authorized `fetch` of a path below the base URL. Redirects elsewhere drop the credential. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** State that a long call stores for the next attempt after a crash. */
export interface Checkpoint {
  /** Returns what the previous attempt saved last; undefined in a first attempt. */
  load(): Promise<unknown>;
  /** @param state JSON, at most 4 MiB */
  save(state: unknown): Promise<void>;
}

/** The gateway's browser, with the same network restrictions as `fetch`. */
export interface CallBrowser {
  /** @throws {SkillError} with a message for the caller */
  render(request: RenderRequest, signal: AbortSignal): Promise<RenderedPage>;
}

/**
 * Everything a handler gets. It has no access to accounts, database, secrets, prices or transport.
 */
export interface SkillContext<Input> {
  readonly input: Input;
  /** The only network access: refuses private addresses, limits bytes and time. */
  readonly fetch: OutboundFetch;
  /** @throws {SkillError} if the skill declares no requirements */
  readonly provider: ProviderClient;
  readonly files: CallFiles;
  readonly checkpoint: Checkpoint;
  readonly browser: CallBrowser;
  /** Sends the caller a short line, as SSE progress or in the job log. Never include a secret. */
  log(message: string): void;
  /** Reports progress, from 0 to 1. */
  progress(fraction: number): void;
  /** Aborted at the deadline, on cancel and on shutdown. Handlers must stop then. */
  readonly signal: AbortSignal;
}

/** Services for an attempt, created lazily by the gateway, because most skills need none. */
export interface SkillServices {
  readonly fetch: OutboundFetch;
  readonly provider: ProviderClient;
  readonly files: CallFiles;
  readonly checkpoint: Checkpoint;
  readonly browser: CallBrowser;
}
