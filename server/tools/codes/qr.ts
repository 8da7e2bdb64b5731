import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { InputError } from '../sdk/skill-error';
import { drawPicture, pictureInput, pictureOutput } from './picture';

/** A tenth of a cent. */
const PRICE_MICROUSD = 1_000n;
/**
 * Bytes of UTF-8 that the largest QR code (version 40) holds, by error correction level (ISO/IEC
 * 18004, table 7).
 */
const CAPACITY_BYTES = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 } as const;
/** The capacity for digits, which take less than half the space of bytes. */
const MAX_CHARS = 7_089;

const input = z.object({
  content: z
    .string()
    .min(1)
    .max(MAX_CHARS)
    .describe(
      'Content of the code: a URL, any text, or a special form such as WIFI:T:WPA;S:network;P:password;; for joining a wireless network, mailto:…, tel:… or a vCard. About 2,900 bytes fit at level L, 1,270 at level H.',
    ),
  error_correction: z
    .enum(['L', 'M', 'Q', 'H'])
    .default('M')
    .describe(
      'Share of the code that may be damaged: L 7%, M 15% (the default), Q 25%, H 30%. A higher level is used if it fits into the same size.',
    ),
  margin: z
    .int()
    .min(0)
    .max(20)
    .default(4)
    .describe('Quiet zone around the code, in modules; the standard requires 4.'),
  ...pictureInput,
});

const output = z.object({
  ...pictureOutput,
  version: z.int().describe('The size class of the code, 1 (21 × 21 modules) to 40 (177 × 177).'),
  modules: z.int().describe('Modules on each side, without the margin.'),
  error_correction: z
    .enum(['L', 'M', 'Q', 'H'])
    .describe('The requested level; the code may have a higher one.'),
});

export const qr = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'qr',
  displayName: 'QR code',
  keywords: 'qr code wifi network login link website contact vcard business card phone scan scannable menu',
  description:
    'Makes a QR code picture of a link, a text, wifi credentials, an e-mail address, a phone number or a contact card, to print or to scan with a phone. Takes the content and optionally size, colours, margin and error-correction level; returns an SVG or a PNG image as a data URI.',
  input,
  output,
  returns: 'The picture of the QR code as SVG markup or PNG data URI, with its size.',
  examples: [
    { description: 'A QR code for a website', input: { content: 'https://example.com/' } },
    {
      description: 'A QR code that joins a wifi network, as a PNG',
      input: { content: 'WIFI:T:WPA;S:Guest network;P:correct horse;;', format: 'png', size: 512 },
    },
    {
      description: 'A robust dark blue QR code of a phone number for a poster',
      input: { content: 'tel:+4930123456', error_correction: 'H', foreground: '#10205a' },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.2 },
  async run({ input: request, signal }) {
    const level = request.error_correction;
    const bytes = Buffer.byteLength(request.content);
    // Digits and capital letters take less space, so the byte limit applies only to other content.
    if (bytes > CAPACITY_BYTES[level] && !/^[0-9A-Z $%*+\-./:]+$/.test(request.content)) {
      throw new InputError(
        `content: ${bytes} bytes; a QR code of level ${level} holds at most ${CAPACITY_BYTES[level]}. Shorten it or choose a lower error_correction.`,
      );
    }
    const symbol = { symbology: 'qrcode', text: request.content, errorCorrection: level };
    const { picture, modules } = await drawPicture(request, symbol, signal);
    return { output: { ...picture, version: (modules - 17) / 4, modules, error_correction: level } };
  },
});
