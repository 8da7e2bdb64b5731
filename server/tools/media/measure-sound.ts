import { InputError } from '../sdk/skill-error';
import type { InputFile } from '../sdk/skill-context';
import { readingArgs, shortReason } from './media-file';
import { runFfmpeg } from './run-ffmpeg';

/**
 * How many seconds of sound a file has, counted in samples: what a file says of its own length, or
 * of its times, anybody may have written. Counts no further than a little past `atMostSeconds`.
 * @throws {InputError} where it cannot be read
 */
export async function measureSound(
  { path, contentType }: Pick<InputFile, 'path' | 'contentType'>,
  atMostSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  const reading = readingArgs(path, contentType);
  if (!reading) throw new InputError('file: is no recording that can be read here.');
  let seconds = 0;
  const { ok, said } = await runFfmpeg(
    [
      ...['-loglevel', 'error', '-nostats', '-progress', 'pipe:1', ...reading],
      ...['-vn', '-sn', '-dn', '-af', 'asetpts=N/SR/TB', '-t', `${atMostSeconds + 5}`, '-f', 'null', '-'],
    ],
    {
      signal,
      onSeconds: (done) => {
        seconds = done;
      },
    },
  );
  if (!ok) throw new InputError(`file: cannot be read. ${shortReason(said)}`);
  return seconds;
}
