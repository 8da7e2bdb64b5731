export type { OutboundFetch } from "../../platform/ports/outbound-fetch";
import type { OutboundFetch } from '../../platform/ports/outbound-fetch';
import type { RenderedPage, RenderRequest } from '../../platform/ports/rendered-page';
/** A file input of a call, on the disk of this machine until the attempt ends. */
export interface InputFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** What the bytes are by their own beginning; `application/octet-stream` where they do not say. Never what a client claims. */
  readonly contentType: string;
  /** As it was uploaded or as its address ends; for messages and for names of outputs, never for paths. */
  readonly filename: string;
}

/** An asset that a call has made, as outputs name it. */
export interface SavedAsset {
  readonly asset_id: string;
  /** Where a plain address is needed. */
  readonly url: string;
  readonly page_url: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly filename: string;
}

/** The files of one call. Everything goes through the disk, so that a large file is never whole in memory. */
export interface CallFiles {
  /**
   * Makes a file input readable.
   * @param reference what the caller sent: the id of an asset, or an http(s) address
   * @param maxBytes what the skill can take; at most 100 MiB
   * @throws SkillError in words for the caller: no such asset, the address does not answer, too large
   */
  open(reference: string, options: { maxBytes: number }): Promise<InputFile>;
  /** A path for a new file in the call's own folder, which goes when the attempt ends. */
  scratch(extension?: string): Promise<string>;
  /**
   * Asked before somebody is paid for a file: afterwards it would be thrown away, and the call would cost nothing.
   * @throws SkillError where the caller's account cannot keep so much more
   */
  ensureRoom(bytes: number): Promise<void>;
  /** Keeps a file as an asset of the caller's account. An attempt that fails keeps none. */
  save(
    content: { path: string } | { bytes: Uint8Array },
    as: { filename: string; contentType: string },
  ): Promise<SavedAsset>;
}

/** The one provider that this call is made through, with the credential that the gateway chose. No skill sees a secret. */
export interface ProviderClient {
  /** `openai`, `brave`, …: one of the skill's slots. */
  readonly slot: string;
  /** Whether the credential is the client's own: then the provider bills them. */
  readonly isOwn: boolean;
  /** `fetch` of a path under the provider's base address, authorized. Redirects to another origin lose the credential. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** What a long call keeps for the attempt that follows a crash. */
export interface Checkpoint {
  /** What the attempt before saved last; undefined in a first attempt. */
  load(): Promise<unknown>;
  /** @param state JSON, at most 4 MiB */
  save(state: unknown): Promise<void>;
}

/** The browser of the gateway; it reaches what `fetch` reaches. */
export interface CallBrowser {
  /** @throws SkillError in words for the caller */
  render(request: RenderRequest, signal: AbortSignal): Promise<RenderedPage>;
}

/** All that a handler gets. It sees no account, no database, no secret, no price and no transport. */
export interface SkillContext<Input> {
  readonly input: Input;
  /** The only way out: refuses private addresses, bounds bytes and time. */
  readonly fetch: OutboundFetch;
  /** @throws SkillError where the skill declares no requirements */
  readonly provider: ProviderClient;
  readonly files: CallFiles;
  readonly checkpoint: Checkpoint;
  readonly browser: CallBrowser;
  /** A line for the caller: SSE progress, job log. Kept short; never a secret. */
  log(message: string): void;
  /** How far it is, from 0 to 1. */
  progress(fraction: number): void;
  /** Aborted at the deadline, on cancel and on shutdown. Handlers stop when it fires. */
  readonly signal: AbortSignal;
}

/** What an attempt is given beside its input and its reports. Made by the gateway, lazily: most skills need none of it. */
export interface SkillServices {
  readonly fetch: OutboundFetch;
  readonly provider: ProviderClient;
  readonly files: CallFiles;
  readonly checkpoint: Checkpoint;
  readonly browser: CallBrowser;
}
