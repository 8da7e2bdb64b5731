import { z } from 'zod';
import { defineSkill } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import {
  costOfUnits,
  highestCost,
  IMAGE_PRICES,
  type ImageModelName,
  providerPrice,
} from '../sdk/provider-prices';
import { unsupportedResponse } from '../sdk/provider-request';
import { asToolFailure } from '../sdk/skill-error';
import { generatePictures } from './generate-pictures';
import { ASPECTS, IMAGE_PROVIDERS, type ImageProviderName, imageHosts } from './hosts';

const MAX_PICTURES = 4;
const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
const MAX_SEED = 2 ** 31 - 1;
/** Storage to reserve for a picture of one megapixel. */
const ROOM_BYTES = { png: 3 * 1024 * 1024, jpeg: 1024 * 1024 } as const;
/** Pixels that fal bills as a megapixel; every size below is one. */
const MEGAPIXEL = 1_024 * 1_024;
const MODELS = Object.keys(IMAGE_PRICES) as [ImageModelName, ...ImageModelName[]];
const EXTENSIONS = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
]);

const input = z.object({
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .describe('Description of the picture, at most 4,000 characters.'),
  aspect: z
    .enum(ASPECTS)
    .default('square')
    .describe(
      'Aspect ratio: square (the default), portrait 3:4, tall 9:16, landscape 4:3, wide 16:9; about a megapixel.',
    ),
  count: z.int().min(1).max(MAX_PICTURES).default(1).describe('Number of pictures, 1 to 4; 1 by default.'),
  model: z
    .enum(MODELS)
    .default('flux-schnell')
    .describe('flux-schnell: fast and cheap (the default). flux-dev: finer, about eight times the price.'),
  seed: z
    .int()
    .min(0)
    .max(MAX_SEED)
    .optional()
    .describe('Seed: the same prompt and seed give the same picture again.'),
  format: z.enum(['png', 'jpeg']).default('png').describe('png (the default) or jpeg.'),
  provider: z
    .enum(IMAGE_PROVIDERS)
    .optional()
    .describe('Provider: fal or replicate; by default the one that has an API key.'),
});

const output = z.object({
  images: z.array(assetOutput).describe('The pictures.'),
  provider: z.enum(IMAGE_PROVIDERS).describe('The provider that made them.'),
  model: z.string().describe('The model that made them.'),
});

type Request = z.infer<typeof input>;
interface Usage {
  slot: ImageProviderName;
  model: ImageModelName;
  /** Number of pictures, or of megapixels for fal. */
  units: number;
}

const slotsFor = ({ provider }: Request): readonly ImageProviderName[] =>
  provider ? [provider] : IMAGE_PROVIDERS;
const costBy = ({ slot, model, units }: Usage, rates: typeof IMAGE_PRICES) =>
  costOfUnits(units, rates[model][slot]);

export const generate = defineSkill<Request, z.infer<typeof output>, Usage>({
  name: 'generate',
  displayName: 'Generate an image',
  keywords:
    'text image ai art artwork picture photo avatar logo paint painting draw illustration imagine create prompt description scene flux midjourney dall',
  description:
    'Makes pictures from a description with an AI model (FLUX), hosted by fal or Replicate: an illustration, a photo-like scene, a logo idea, a background, a product visual, art. Choose form, number (1 to 4), model and seed; PNG or JPEG of about a megapixel, kept as assets. Takes some seconds and runs as a job. Priced by picture.',
  input,
  output,
  returns: 'The pictures as assets.',
  examples: [
    {
      description: 'A square illustration',
      input: { prompt: 'A lighthouse at dawn, flat vector illustration' },
    },
    {
      description: 'Two wide pictures by Replicate that can be made again',
      input: {
        prompt: 'A wooden table with fresh bread, soft morning light',
        aspect: 'wide',
        count: 2,
        seed: 7,
        provider: 'replicate',
        format: 'jpeg',
      },
    },
  ],
  price: providerPrice<Request, Usage, typeof IMAGE_PRICES>({
    unit: 'picture',
    typicalMicrousd: IMAGE_PRICES['flux-schnell'].fal,
    costFields: ['count', 'model', 'provider'],
    rates: IMAGE_PRICES,
    ratesFor: ({ model }) => [model],
    most: (request, rates) =>
      highestCost(
        slotsFor(request).map((slot) => costBy({ slot, model: request.model, units: request.count }, rates)),
      ),
    cost: costBy,
  }),
  requirements: IMAGE_PROVIDERS,
  getRequirementsFor: slotsFor,
  annotations: { readOnly: true, idempotent: false, destructive: false, estimatedSeconds: 30 },
  async run(context) {
    const { input: request, provider, files } = context;
    const slot = provider.slot === 'replicate' ? 'replicate' : 'fal';
    await files.ensureRoom(request.count * ROOM_BYTES[request.format]);
    const made = (await generatePictures(context, imageHosts[slot], request)).slice(0, request.count);
    if (made.length === 0) throw unsupportedResponse(provider);
    const images = [];
    for (const [at, { url }] of made.entries()) {
      // The provider's URL expires after a while.
      const { path, contentType } = await files.open(url, { maxBytes: MAX_PICTURE_BYTES }).catch((error) => {
        throw asToolFailure(error);
      });
      const ending = EXTENSIONS.get(contentType);
      if (!ending) throw unsupportedResponse(provider);
      images.push(await files.save({ path }, { filename: `image-${at + 1}.${ending}`, contentType }));
    }
    const megapixels = made.reduce(
      (sum, { width = 0, height = 0 }) => sum + Math.max(1, Math.ceil((width * height) / MEGAPIXEL)),
      0,
    );
    const units = slot === 'fal' ? megapixels : made.length;
    return {
      output: { images, provider: slot, model: request.model },
      usage: { slot, model: request.model, units },
    };
  },
});
