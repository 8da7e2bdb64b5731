import type { InputFile } from '../sdk/skill-context';
import { InputError } from '../sdk/skill-error';
import { buildInputArgs, shortReason } from './media-file';
import { runFfmpeg } from './run-ffmpeg';

/** Decoding an hour takes ten. */
const MAX_CPU_SECONDS = 120;

/**
 * Measures the seconds of sound in a file by counting samples, because durations and timestamps in
 * the file can be forged. Stops shortly after `atMostSeconds`.
 * @throws {InputError} if the file cannot be read
 */
export async function measureSound(
  { path, contentType }: Pick<InputFile, 'path' | 'contentType'>,
  atMostSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  const reading = buildInputArgs(path, contentType);
  if (!reading) throw new InputError('file: the format is not a supported recording.');
  let seconds: number | null = null;
  const { ok, stderr } = await runFfmpeg(
    [
      ...['-loglevel', 'error', '-nostats', '-progress', 'pipe:1', ...reading],
      ...['-vn', '-sn', '-dn', '-af', 'asetpts=N/SR/TB', '-t', `${atMostSeconds + 5}`, '-f', 'null', '-'],
    ],
    {
      signal,
      maxCpuSeconds: MAX_CPU_SECONDS,
      onSeconds: (done) => {
        seconds = done;
      },
    },
  );
  if (!ok) throw new InputError(`file: the recording cannot be read. ${shortReason(stderr)}`);
  if (seconds === null) throw new InputError('file: there is no sound in the recording.');
  return seconds;
}
