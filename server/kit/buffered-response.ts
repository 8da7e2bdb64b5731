/** What a `BufferedResponse` is made of. */
export interface BufferedParts {
  /** As the server sent it, also one that a `Response` does not accept. */
  status: number;
  statusText: string;
  headers: [string, string][];
  url: string;
  redirected: boolean;
  /** The complete body, decompressed. */
  bytes: Uint8Array;
}

/** The highest status that a Response accepts; servers send others (999 for suspected robots). */
const MAX_STATUS = 599;
/** Statuses without a body by definition: a Response with one cannot be constructed. */
const BODILESS = new Set([204, 205, 304]);

/**
 * A Response whose body has arrived completely. Its stream and headers are created only if they are
 * read: constructing and reading a body stream costs as much as the rest of a small request.
 */
export class BufferedResponse extends Response {
  readonly #parts: BufferedParts;
  #headers: Headers | undefined;
  #isUsed = false;
  /** An ordinary Response with the same body, once something needs one. */
  #full: Response | undefined;

  constructor(parts: BufferedParts) {
    super(null, { status: Math.min(parts.status, MAX_STATUS), statusText: parts.statusText });
    this.#parts = parts;
  }

  override get status(): number {
    return this.#parts.status;
  }

  override get url(): string {
    return this.#parts.url;
  }

  override get redirected(): boolean {
    return this.#parts.redirected;
  }

  override get headers(): Headers {
    this.#headers ??= new Headers(this.#parts.headers);
    return this.#headers;
  }

  /** A header, without creating the others. */
  readHeader(name: string): string | null {
    if (this.#headers) return this.#headers.get(name);
    const values = this.#parts.headers.flatMap(([own, value]) => (own === name ? [value] : []));
    return values.length === 0 ? null : values.join(', ');
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#toFull().body;
  }

  override get bodyUsed(): boolean {
    return this.#full?.bodyUsed ?? this.#isUsed;
  }

  /**
   * The body without a copy; counts as reading it. Null if its stream was opened.
   * @throws TypeError if it was read already
   */
  takeBytes(): Uint8Array | null {
    return this.#full ? null : this.#take();
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#full ? await this.#full.arrayBuffer() : Uint8Array.from(this.#take()).buffer;
  }

  override async text(): Promise<string> {
    return this.#full ? await this.#full.text() : new TextDecoder().decode(this.#take());
  }

  override async json(): Promise<unknown> {
    // Cannot throw: a rejection is what fetch does too
    return JSON.parse(await this.text());
  }

  override blob(): Promise<Blob> {
    return this.#toFull().blob();
  }

  override formData(): Promise<FormData> {
    return this.#toFull().formData();
  }

  override clone(): Response {
    if (this.bodyUsed) throw new TypeError('The body was read already');
    // What was opened as a stream cannot be copied from the bytes: its position is unknown.
    return this.#full ? this.#full.clone() : new BufferedResponse(this.#parts);
  }

  #take(): Uint8Array {
    if (this.#isUsed) throw new TypeError('The body was read already');
    this.#isUsed = true;
    return this.#parts.bytes;
  }

  #toFull(): Response {
    if (!this.#full) {
      const { status, statusText, bytes } = this.#parts;
      const body = BODILESS.has(status) || this.#isUsed ? null : (bytes as Uint8Array<ArrayBuffer>);
      const init = { status: Math.min(status, MAX_STATUS), statusText, headers: this.headers };
      this.#full = new Response(body, init);
    }
    return this.#full;
  }
}

/** A header of a response, by its name in lower case: creating all of them takes longer. */
export function readHeader(response: Response, name: string): string | null {
  return response instanceof BufferedResponse ? response.readHeader(name) : response.headers.get(name);
}
