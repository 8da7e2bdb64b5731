import { z } from 'zod';
import { defineSkill } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import {
  costPerMillion,
  highestCost,
  providerPrice,
  SPEECH_PRICES,
  type SpeechModelName,
} from '../sdk/provider-prices';
import { type ProviderRequest, requestFile } from '../sdk/provider-request';

const MAX_CHARS = 4_096;
/** Enough for slow speech as WAV. */
const MAX_AUDIO_BYTES = 64 * 1024 * 1024;
const TIME_LIMIT_MS = 120_000;

const PROVIDERS = ['openai', 'elevenlabs'] as const;
type SpeechProvider = (typeof PROVIDERS)[number];
const MODELS = Object.keys(SPEECH_PRICES) as [SpeechModelName, ...SpeechModelName[]];
const getProviderOfModel = (model: SpeechModelName): SpeechProvider =>
  model.startsWith('eleven') ? 'elevenlabs' : 'openai';
const DEFAULT_MODELS: Record<SpeechProvider, SpeechModelName> = {
  openai: 'tts-1',
  elevenlabs: 'eleven_flash_v2_5',
};

const OPENAI_VOICES = ['alloy', 'ash', 'coral', 'echo', 'fable', 'onyx', 'nova', 'sage', 'shimmer'];
/** George, a narrator: one of the default voices available to every account. */
const DEFAULT_ELEVENLABS_VOICE = 'JBFqnCBsd6RMkjVDRZzb';
const ELEVENLABS_VOICE = /^[A-Za-z0-9]{16,32}$/;
const ELEVENLABS_SPEED = { least: 0.7, most: 1.2 };

const FORMATS = {
  mp3: { contentType: 'audio/mpeg', elevenlabs: 'mp3_44100_128', bytesASecond: 16_000 },
  opus: { contentType: 'audio/ogg', elevenlabs: 'opus_48000_128', bytesASecond: 16_000 },
  wav: { contentType: 'audio/wav', elevenlabs: undefined, bytesASecond: 48_000 },
  flac: { contentType: 'audio/flac', elevenlabs: undefined, bytesASecond: 48_000 },
  aac: { contentType: 'audio/aac', elevenlabs: undefined, bytesASecond: 16_000 },
} as const;

const input = z
  .object({
    text: z.string().trim().min(1).max(MAX_CHARS).describe('Text to speak, at most 4,096 characters.'),
    voice: z
      .string()
      .refine(
        (voice) => OPENAI_VOICES.includes(voice) || ELEVENLABS_VOICE.test(voice),
        `Use a voice of OpenAI (${OPENAI_VOICES.join(', ')}) or the id of an ElevenLabs voice.`,
      )
      .optional()
      .describe(
        `A voice of OpenAI (${OPENAI_VOICES.join(', ')}) or the id of an ElevenLabs voice; by default alloy, or George.`,
      ),
    format: z
      .enum(['mp3', 'opus', 'wav', 'flac', 'aac'])
      .default('mp3')
      .describe('Audio format; mp3 by default. ElevenLabs supports only mp3 and opus.'),
    speed: z
      .number()
      .min(0.25)
      .max(4)
      .default(1)
      .describe('Speed of the speech: 0.25 to 4 at OpenAI, 0.7 to 1.2 at ElevenLabs; 1 by default.'),
    provider: z
      .enum(PROVIDERS)
      .optional()
      .describe('Provider: openai or elevenlabs; by default a suitable one that has an API key.'),
    model: z
      .enum(MODELS)
      .optional()
      .describe('The model; by default tts-1 of OpenAI or eleven_flash_v2_5 of ElevenLabs.'),
  })
  .refine((request) => getProvidersFor(request).length > 0, {
    path: ['provider'],
    message:
      'No provider supports this combination of voice, model, format and speed. ElevenLabs has its own voices, mp3 and opus, and speeds from 0.7 to 1.2. Omit what you do not need.',
  });

const output = z.object({
  audio: assetOutput.describe('The audio file.'),
  characters: z.int().describe('Number of characters spoken.'),
  provider: z.enum(PROVIDERS).describe('The provider that spoke.'),
  model: z.string().describe('The model that spoke.'),
});

type Request = z.infer<typeof input>;
interface SpeechChoice {
  provider?: SpeechProvider | undefined;
  model?: SpeechModelName | undefined;
  voice?: string | undefined;
  format: keyof typeof FORMATS;
  speed: number;
}
interface Usage {
  model: SpeechModelName;
  characters: number;
}

/** Returns the providers that support everything the input requires. */
function getProvidersFor({ provider, model, voice, format, speed }: SpeechChoice): readonly SpeechProvider[] {
  return PROVIDERS.filter((slot) => {
    if (provider && provider !== slot) return false;
    if (model && getProviderOfModel(model) !== slot) return false;
    if (voice && OPENAI_VOICES.includes(voice) !== (slot === 'openai')) return false;
    if (slot === 'openai') return true;
    const { least, most } = ELEVENLABS_SPEED;
    return FORMATS[format].elevenlabs !== undefined && speed >= least && speed <= most;
  });
}

const costBy = ({ model, characters }: Usage, rates: typeof SPEECH_PRICES) =>
  costPerMillion(characters, rates[model]);
const getModelsFor = (request: Request) =>
  getProvidersFor(request).map((slot) => request.model ?? DEFAULT_MODELS[slot]);

export const textToSpeech = defineSkill<Request, z.infer<typeof output>, Usage>({
  name: 'text_to_speech',
  displayName: 'Text to speech',
  keywords:
    'tts say voice voiceover narrate narration read aloud spoken speak audio audiobook podcast announcement mp3 recording accent female male text blog post story',
  description:
    'Reads a text aloud in a natural voice and gives the sound as a file: narration, voice-over, an announcement, an audio version of an article, a spoken reply. By OpenAI or ElevenLabs; choose the voice, the speed and MP3, Opus, WAV, FLAC or AAC. At most 4,096 characters. Priced by character.',
  input,
  output,
  returns: 'The sound as an asset, and how many characters were spoken.',
  examples: [
    {
      description: 'An announcement as MP3',
      input: { text: 'The train to Lyon leaves from platform four.' },
    },
    {
      description: 'A calm voice of ElevenLabs',
      input: { text: 'Good evening, and welcome back.', provider: 'elevenlabs', speed: 0.9 },
    },
  ],
  price: providerPrice<Request, Usage, typeof SPEECH_PRICES>({
    unit: '1,000 characters',
    typicalMicrousd: costPerMillion(1_000, SPEECH_PRICES['tts-1']),
    costFields: ['text', 'model', 'provider', 'voice'],
    rates: SPEECH_PRICES,
    ratesFor: getModelsFor,
    most: (request, rates) =>
      highestCost(
        getModelsFor(request).map((model) => costBy({ model, characters: request.text.length }, rates)),
      ),
    cost: costBy,
  }),
  requirements: PROVIDERS,
  getRequirementsFor: getProvidersFor,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 8 },
  async run(context) {
    const { input: request, provider, files } = context;
    const slot = provider.slot === 'elevenlabs' ? 'elevenlabs' : 'openai';
    const model = request.model ?? DEFAULT_MODELS[slot];
    await files.ensureRoom(estimateMaxBytes(request));
    const path = await files.scratch(request.format);
    const providerRequest =
      slot === 'openai' ? toOpenAiRequest(request, model) : toElevenLabsRequest(request, model);
    await requestFile(
      context,
      {
        ...providerRequest,
        timeLimitMs: TIME_LIMIT_MS,
        repeatable: true,
        maxBytes: MAX_AUDIO_BYTES,
        contentType: /^(audio\/|application\/octet-stream|application\/ogg)/,
      },
      path,
    );
    const { contentType } = FORMATS[request.format];
    const audio = await files.save({ path }, { filename: `speech.${request.format}`, contentType });
    // Both providers charge by the characters of the text; their responses report no other cost.
    const characters = request.text.length;
    return { output: { audio, characters, provider: slot, model }, usage: { model, characters } };
  },
});

/** Upper bound for slow speech: a tenth of a second per character. */
function estimateMaxBytes({ text, format, speed }: Request): number {
  return Math.ceil((text.length * FORMATS[format].bytesASecond) / (10 * speed));
}

type SpeechRequest = Pick<ProviderRequest, 'path' | 'json'>;

function toOpenAiRequest({ text, voice, format, speed }: Request, model: SpeechModelName): SpeechRequest {
  const json = { model, input: text, voice: voice ?? 'alloy', response_format: format, speed };
  return { path: '/v1/audio/speech', json };
}

function toElevenLabsRequest({ text, voice, format, speed }: Request, model: SpeechModelName): SpeechRequest {
  const query = new URLSearchParams({ output_format: FORMATS[format].elevenlabs ?? 'mp3_44100_128' });
  return {
    path: `/v1/text-to-speech/${voice ?? DEFAULT_ELEVENLABS_VOICE}?${query}`,
    json: { text, model_id: model, voice_settings: speed === 1 ? undefined : { speed } },
  };
}
