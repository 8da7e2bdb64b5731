import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { measureSound } from '../media/measure-sound';
import { findMissingFfmpeg } from '../media/run-ffmpeg';
import { defineSkill, type MissingEngine } from '../sdk/define-tool';
import { fileInput } from '../sdk/file-schemas';
import {
  costOfUnits,
  providerPrice,
  TRANSCRIPTION_PRICES,
  type TranscriptionModelName,
} from '../sdk/provider-prices';
import { requestJson, unsupportedResponse } from '../sdk/provider-request';
import { withScratchBlob } from '../sdk/scratch-files';
import type { InputFile, SkillContext } from '../sdk/skill-context';
import { InputError, SkillError } from '../sdk/skill-error';

const MIB = 1024 * 1024;
/** OpenAI's limit. */
const MAX_FILE_BYTES = 25 * MIB;
const TIME_LIMIT_MS = 300_000;
/** Enough for ten hours of segments with OpenAI's metadata. */
const MAX_ANSWER_BYTES = 8 * MIB;
const MAX_SEGMENTS = 20_000;
const MODELS = Object.keys(TRANSCRIPTION_PRICES) as [TranscriptionModelName, ...TranscriptionModelName[]];

/** Extensions that OpenAI accepts, by detected media type. */
const EXTENSIONS: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'application/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/webm': 'webm',
  'video/webm': 'webm',
  'video/mp4': 'mp4',
};

/** The gateway pays by the minute only for what it has measured. */
async function findMissingMeasure(): Promise<MissingEngine | null> {
  const missing = await findMissingFfmpeg();
  const reason = 'This gateway has no ffmpeg to measure recordings. Bring your own OpenAI key.';
  return missing && { ...missing, reason };
}

const input = z
  .object({
    file: fileInput('The recording: MP3, MP4, M4A, WAV, OGG, FLAC or WebM of at most 25 MiB.', 'audio/*'),
    language: z
      .string()
      .toLowerCase()
      .regex(/^[a-z]{2}$/, 'Use a language code of two letters, such as de.')
      .optional()
      .describe('Spoken language, two letters such as de, which improves accuracy. Detected by default.'),
    timestamps: z
      .boolean()
      .default(false)
      .describe(
        'Whether to return the times of each segment, for subtitles (whisper-1 only); false by default.',
      ),
    max_minutes: z
      .int()
      .min(1)
      .max(600)
      .default(30)
      .describe(
        'Maximum number of minutes to pay for, 1 to 600; 30 by default. A longer recording fails and costs nothing.',
      ),
    model: z
      .enum(MODELS)
      .optional()
      .describe(
        'whisper-1 or gpt-transcribe; by default whisper-1 with timestamps, otherwise gpt-transcribe.',
      ),
  })
  .refine(({ timestamps, model }) => !timestamps || model !== 'gpt-transcribe', {
    path: ['model'],
    message: 'gpt-transcribe does not support timestamps. Use whisper-1, or omit timestamps.',
  });

const output = z.object({
  text: z.string().describe('The spoken text.'),
  segments: z
    .array(
      z.object({
        start: z.number().describe('Start of the segment, in seconds.'),
        end: z.number().describe('End of the segment, in seconds.'),
        text: z.string().describe('Text of the segment.'),
      }),
    )
    .nullable()
    .describe('The segments with their times; null without timestamps.'),
  language: z.string().nullable().describe('The detected language; null if the provider does not report it.'),
  duration_seconds: z.number().describe('Length of the recording in seconds.'),
  model: z.string().describe('The model.'),
});

const answerSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  duration: z.coerce.number().nonnegative().nullish(),
  segments: z
    .array(z.object({ start: z.number(), end: z.number(), text: z.string() }))
    .max(MAX_SEGMENTS)
    .nullish(),
  usage: z.looseObject({ seconds: z.number().nonnegative().nullish() }).nullish(),
});

type Request = z.infer<typeof input>;
interface Usage {
  model: TranscriptionModelName;
  seconds: number;
}

const chooseModel = ({ model, timestamps }: Request) =>
  model ?? (timestamps ? 'whisper-1' : 'gpt-transcribe');
const costBy = ({ model, seconds }: Usage, rates: typeof TRANSCRIPTION_PRICES) =>
  costOfUnits(seconds, rates[model]);

export const transcribe = defineSkill<Request, z.infer<typeof output>, Usage>({
  name: 'transcribe',
  displayName: 'Transcribe',
  keywords:
    'speech text audio recording voice memo dictation interview meeting lecture podcast episode call said subtitles captions type up write down recognition mp3',
  description:
    'Writes down what is said in a recording: speech to text for a meeting, an interview, a voice message, a podcast, the sound of a video, in about a hundred languages, by OpenAI. With timestamps for subtitles where wanted. MP3, MP4, M4A, WAV, OGG, FLAC or WebM of at most 25 MiB. Priced by second of sound.',
  input,
  output,
  returns: 'The spoken text, its passages with times where wanted, the language and the length.',
  examples: [
    { description: 'What is said in a recording', input: { file: 'asset_sample_tone' } },
    {
      description: 'The sound of a video with times for subtitles',
      input: { file: 'asset_sample_clip', timestamps: true, language: 'en' },
    },
  ],
  price: providerPrice<Request, Usage, typeof TRANSCRIPTION_PRICES>({
    unit: 'minute',
    typicalMicrousd: costOfUnits(60, TRANSCRIPTION_PRICES['gpt-transcribe']),
    costFields: ['max_minutes', 'model', 'timestamps'],
    rates: TRANSCRIPTION_PRICES,
    ratesFor: (request) => [chooseModel(request)],
    most: (request, rates) =>
      costBy({ model: chooseModel(request), seconds: request.max_minutes * 60 }, rates),
    cost: costBy,
  }),
  requirements: ['openai'],
  platformKeyNeeds: { findEngine: findMissingMeasure },
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 20 },
  async run(context) {
    const { input: request, files, provider } = context;
    const model = chooseModel(request);
    const file = await files.open(request.file, { maxBytes: MAX_FILE_BYTES });
    const ending = EXTENSIONS[file.contentType.split(';', 1)[0] ?? ''];
    if (!ending)
      throw new InputError(
        'file: OpenAI does not support this format. Send MP3, MP4, M4A, WAV, OGG, FLAC or WebM.',
      );
    await refuseTooLong(context, file);
    const fields = {
      model,
      response_format: request.timestamps ? 'verbose_json' : 'json',
      ...(request.timestamps ? { 'timestamp_granularities[]': 'segment' } : {}),
      ...(request.language ? { language: request.language } : {}),
    };
    const { answer } = await withScratchBlob(file.path, (recording) =>
      requestJson(
        context,
        {
          path: '/v1/audio/transcriptions',
          body: createForm(recording, `recording.${ending}`, file.contentType, fields),
          timeLimitMs: TIME_LIMIT_MS,
          repeatable: true,
          maxBytes: MAX_ANSWER_BYTES,
        },
        answerSchema,
      ),
    );
    const seconds = answer.usage?.seconds ?? answer.duration;
    if (seconds === null || seconds === undefined) throw unsupportedResponse(provider);
    const segments = answer.segments?.map(({ start, end, text }) => ({ start, end, text: text.trim() }));
    return {
      output: {
        text: answer.text.trim(),
        segments: request.timestamps ? (segments ?? []) : null,
        language: answer.language ?? null,
        duration_seconds: seconds,
        model,
      },
      usage: { model, seconds },
    };
  },
});

/** Tolerated excess, because encoders add silence. */
const TOLERANCE_SECONDS = 1;

/**
 * Checks the length before sending: OpenAI charges for the whole recording, even if the call then
 * fails and is free for its caller.
 * @throws {SkillError} if it exceeds max_minutes, or if the gateway would pay and cannot measure it
 */
async function refuseTooLong(
  { input: { max_minutes }, provider, signal }: SkillContext<Request>,
  file: InputFile,
): Promise<void> {
  const missing = await findMissingMeasure();
  if (missing) {
    if (provider.isByok) return;
    throw new SkillError(missing.reason, { failure: 'TOOL_UNAVAILABLE' });
  }
  const most = max_minutes * 60 + TOLERANCE_SECONDS;
  if ((await measureSound(file, most, signal)) > most)
    throw new InputError(
      `max_minutes: the recording is longer than ${max_minutes} minutes. Raise max_minutes, or send a part.`,
    );
}

/**
 * Builds multipart/form-data with a file that stays on disk. The global FormData class is not the
 * one that the guarded fetch recognizes.
 */
function createForm(file: Blob, filename: string, type: string, fields: Record<string, string>): Blob {
  const boundary = `form-${randomUUID()}`;
  const head = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const fileHeaders = `Content-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${type}`;
  const parts = [head.join(''), `--${boundary}\r\n${fileHeaders}\r\n\r\n`, file, `\r\n--${boundary}--\r\n`];
  return new Blob(parts, { type: `multipart/form-data; boundary=${boundary}` });
}
