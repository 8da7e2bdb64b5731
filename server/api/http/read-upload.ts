import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { GatewayError } from '../../core/errors/gateway-error';
import type { HttpRequest } from '../../core/http/message';
import type { Upload } from '../../core/trpc/context';
import { guarded } from '../../kit/guarded';
import { requirePlainBody } from './plain-body';

/** What a multipart body contains besides its file: boundaries, part headers, fields. */
const MAX_AROUND_FILE_BYTES = 64 * 1024;
const LIMITS = {
  files: 1,
  fields: 10,
  // The only limit on nameless parts, which are neither fields nor files: without it, ten bytes
  // each would block the thread for a minute.
  parts: 20,
  fieldNameSize: 100,
  fieldSize: 4096,
  headerPairs: 20,
  headerSize: 8192,
};
const MIB = 1024 * 1024;

type FieldListener = (name: string, value: string, nameTruncated: boolean, truncated: boolean) => void;
type FileListener = (
  name: string,
  stream: BusboyFileStream,
  filename: string | undefined,
  encoding: string,
  contentType: string | undefined,
) => void;

/**
 * Reads the file of a multipart body as a stream; nothing is buffered.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_INPUT naming the field
 */
export async function readUpload(
  request: Pick<HttpRequest, 'header' | 'stream'>,
  limitBytes: number,
): Promise<Upload> {
  // Opened first, so that the rest of a body that is refused early is discarded within a bound.
  const body = request.stream();
  requirePlainBody(request);
  const type = request.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) throw notMultipart();
  const length = request.header('content-length');
  if (Number(length ?? 0) > limitBytes + MAX_AROUND_FILE_BYTES) throw tooLarge(limitBytes);
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { 'content-type': type },
      limits: LIMITS,
      isPartAFile: (name, _type, filename) => name === 'file' || filename !== undefined,
    });
  } catch (cause) {
    throw invalid('Content-Type', 'Must be multipart/form-data with a boundary.', cause);
  }
  const atMostBytes = Math.min(limitBytes, length === undefined ? limitBytes : Number(length));
  return await new UploadReader(parser, limitBytes, atMostBytes).read(body);
}

/** Parses one multipart body. A failure anywhere also fails the file's stream. */
class UploadReader {
  readonly #parser: BusboyInstance;
  readonly #limitBytes: number;
  readonly #atMostBytes: number;
  readonly #fields = new Map<string, string>();
  readonly #found = deferred<Upload>();
  readonly #complete = deferred<void>();
  #file: BusboyFileStream | undefined;
  #failure: Error | undefined;

  constructor(parser: BusboyInstance, limitBytes: number, atMostBytes: number) {
    this.#parser = parser;
    this.#limitBytes = limitBytes;
    this.#atMostBytes = atMostBytes;
    // A caller that refuses the file never reads `fields`, so its rejection would be unhandled.
    this.#complete.promise.catch(() => undefined);
  }

  read(body: Readable): Promise<Upload> {
    const parser = this.#parser;
    const fail = (error: unknown) => this.#fail(body, incompleteBody(error));
    const safely = <Args extends unknown[]>(work: (...args: Args) => void) => guarded(work, fail);
    const onField: FieldListener = (name, value, _nameTruncated, truncated) => {
      if (truncated) this.#fail(body, invalid(name, `Must be at most ${LIMITS.fieldSize} bytes.`));
      else this.#fields.set(name, value);
    };
    const onFile: FileListener = (name, stream, filename, _encoding, contentType) =>
      this.#onFile(body, stream, { name, filename, contentType });
    const tooManyFields = `Must have at most ${LIMITS.fields} fields besides the file.`;
    parser.on('field', safely(onField));
    parser.on('file', safely(onFile));
    parser.on(
      'filesLimit',
      safely(() => this.#fail(body, invalid('file', 'Send one file.'))),
    );
    parser.on(
      'fieldsLimit',
      safely(() => this.#fail(body, invalid('body', tooManyFields))),
    );
    parser.on(
      'partsLimit',
      safely(() => this.#fail(body, invalid('body', 'Has too many parts.'))),
    );
    parser.on('error', safely(fail));
    parser.on(
      'finish',
      safely(() => this.#onEnd(body)),
    );
    let size = 0;
    const onData = (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size > this.#limitBytes + MAX_AROUND_FILE_BYTES) this.#fail(body, tooLarge(this.#limitBytes));
    };
    body.on('data', safely(onData));
    body.on('error', safely(fail));
    const onClose = () => {
      if (!body.readableEnded) fail(undefined);
    };
    body.on('close', safely(onClose));
    // The pipe calls the parser without a `try`.
    const write = parser.write.bind(parser) as (...args: unknown[]) => boolean;
    parser.write = (...args: unknown[]) => {
      try {
        return write(...args);
      } catch (error) {
        fail(error);
        return false;
      }
    };
    body.pipe(parser);
    return this.#found.promise;
  }

  #onFile(
    body: Readable,
    stream: BusboyFileStream,
    part: { name: string; filename: string | undefined; contentType: string | undefined },
  ): void {
    this.#file = stream;
    stream.on(
      'error',
      guarded((cause) => this.#fail(body, incompleteBody(cause))),
    );
    if (part.name !== 'file') {
      this.#fail(
        body,
        invalid('file', `Send the file in the field \`file\`, not ${JSON.stringify(part.name)}.`),
      );
      return;
    }
    this.#found.resolve({
      filename: part.filename?.replace(/%(22|0[AD])/gi, (_, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
      contentType: part.contentType,
      maxBytes: this.#atMostBytes,
      bytes: this.#bytes(stream),
      fields: async () => {
        await this.#complete.promise;
        return this.#fields;
      },
    });
  }

  async *#bytes(stream: BusboyFileStream): AsyncIterable<Uint8Array> {
    let size = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength;
        if (size > this.#limitBytes) throw tooLarge(this.#limitBytes);
        yield chunk;
      }
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  #onEnd(body: Readable): void {
    if (this.#file) this.#complete.resolve();
    else this.#fail(body, invalid('file', 'Is required: send the file in the field `file`.'));
  }

  #fail(body: Readable, error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    body.unpipe(this.#parser);
    this.#found.reject(error);
    this.#complete.reject(error);
    this.#file?.destroy(error);
  }
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
}

function deferred<T>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => undefined;
  let reject: Deferred<T>['reject'] = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

function notMultipart(): GatewayError {
  return new GatewayError('UNSUPPORTED_MEDIA_TYPE', {
    message: 'The request body must be multipart/form-data.',
    hint: 'Send the file in the field `file`: curl -F file=@picture.png …',
  });
}

function tooLarge(limitBytes: number): GatewayError {
  const limit = `${limitBytes / MIB} MiB`;
  return new GatewayError('PAYLOAD_TOO_LARGE', {
    message: `file: Must be at most ${limit}.`,
    hint: `Upload files of at most ${limit}.`,
    details: { fields: [{ path: 'file', message: `Must be at most ${limit}.` }] },
  });
}

function incompleteBody(cause: unknown): GatewayError {
  return invalid('body', 'Is incomplete or not valid multipart/form-data.', cause);
}

function invalid(path: string, message: string, cause?: unknown): GatewayError {
  return new GatewayError('INVALID_INPUT', {
    message: `${path}: ${message}`,
    details: { fields: [{ path, message }] },
    cause,
  });
}
