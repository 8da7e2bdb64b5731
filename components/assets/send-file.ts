import type { UploadResult } from '@/server/assets/schema';
import type { ErrorBody } from '@/server/core/errors/schema';
import { formatBytes } from '../shared/format-bytes';

const ADDRESS = '/dashboard/assets/upload';

/** An upload that failed, with a message for the person who sent it. */
export class UploadProblem extends Error {
  constructor(
    message: string,
    /** Whether a retry may succeed. */
    readonly retryable: boolean,
  ) {
    super(message);
  }
}

interface SendOptions {
  onProgress(sentBytes: number): void;
  signal: AbortSignal;
}

/**
 * Uploads one file. Uses XMLHttpRequest because fetch does not report upload progress.
 * @throws UploadProblem, or the signal's reason if the upload was cancelled
 */
export function sendFile(file: File, { onProgress, signal }: SendOptions): Promise<UploadResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = () => {
      request.abort();
      reject(signal.reason);
    };
    request.upload.addEventListener('progress', (event) => onProgress(Math.min(event.loaded, file.size)));
    request.addEventListener('error', () =>
      reject(
        new UploadProblem(
          'The connection was lost, or the file can no longer be read. Upload it again.',
          true,
        ),
      ),
    );
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(JSON.parse(request.responseText));
      else reject(toUploadProblem(request.status, request.responseText, file));
    });
    request.addEventListener('loadend', () => signal.removeEventListener('abort', cancel));
    if (signal.aborted) return cancel();
    signal.addEventListener('abort', cancel);
    const body = new FormData();
    body.set('file', file);
    request.open('POST', ADDRESS);
    request.send(body);
  });
}

function toUploadProblem(status: number, text: string, file: File): UploadProblem {
  const error = readError(text);
  if (status === 401)
    return new UploadProblem('You are signed out. Reload the page and sign in again.', false);
  if (!error)
    return new UploadProblem('The gateway sent an unexpected response. Upload the file again.', true);
  const what = error.fields?.[0]?.message ?? error.message;
  if (error.limit === 'quota')
    return new UploadProblem(
      `No space for ${formatBytes(file.size)}: ${what} Delete files you no longer need, then upload the file again.`,
      true,
    );
  if (status === 413) return new UploadProblem(`Too large: ${what} Compress or split the file.`, false);
  return new UploadProblem([error.message, error.resolution_hint].filter(Boolean).join(' '), status >= 500);
}

function readError(text: string): ErrorBody['error'] | null {
  try {
    return (JSON.parse(text) as Partial<ErrorBody>).error ?? null;
  } catch {
    return null;
  }
}
