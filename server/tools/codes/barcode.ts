import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { InputError } from '../sdk/skill-error';
import { drawPicture, pictureInput, pictureOutput } from './picture';
import { symbologies, symbologyNames } from './symbologies';

/** A tenth of a cent. */
const PRICE_MICROUSD = 1_000n;

const input = z.object({
  type: z
    .enum(symbologyNames)
    .describe(
      'The kind of barcode. Retail: ean13, ean8, upca. Cartons: itf14. Text in bars: code128, code39, code93, codabar. Two-dimensional: datamatrix, pdf417, aztec. For QR codes use the skill qr.',
    ),
  content: z
    .string()
    .min(1)
    .max(1_500)
    .describe(
      'What is encoded. For ean13, ean8, upca and itf14 the digits, with the check digit (it is verified) or without it (it is added); spaces and hyphens are ignored.',
    ),
  show_text: z.boolean().default(true).describe('Print the content as text below the bars; true by default.'),
  margin: z
    .int()
    .min(0)
    .max(40)
    .default(10)
    .describe('Quiet zone around the barcode, in widths of the narrowest bar; 10 by default.'),
  ...pictureInput,
});

const output = z.object({
  ...pictureOutput,
  type: z.enum(symbologyNames).describe('The kind of barcode.'),
  encoded: z.string().describe('The encoded text, including the check digit if there is one.'),
});

export const barcode = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'barcode',
  displayName: 'Barcode',
  keywords: 'bar code ean upc isbn gtin product label sticker inventory sku code128 pdf417',
  description:
    'Generates a barcode picture: EAN-13 and EAN-8 and UPC-A for retail products, ITF-14 for cartons, Code 128, Code 39, Code 93 and Codabar for labels and inventory, Data Matrix, PDF417 and Aztec in two dimensions. Checks or adds the check digit. Takes the type and the number or text; returns an SVG or a PNG image as a data URI.',
  input,
  output,
  returns: 'The picture of the barcode as SVG markup or PNG data URI, and the text it encodes.',
  examples: [
    {
      description: 'An EAN barcode of a product; the check digit is added',
      input: { type: 'ean13', content: '952012345678' },
    },
    {
      description: 'A Code 128 label for an inventory number, as a PNG',
      input: { type: 'code128', content: 'INV-2026-0042', format: 'png' },
    },
    {
      description: 'A small Data Matrix for a serial number',
      input: { type: 'datamatrix', content: 'SN 8812-A', size: 128, margin: 2 },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.2 },
  async run({ input: request, signal }) {
    const symbology = symbologies[request.type];
    const prepared = symbology.prepare(request.content);
    if (!prepared.ok) throw new InputError(prepared.message);
    const symbol = { symbology: symbology.library, text: prepared.text, showText: request.show_text };
    const { picture } = await drawPicture(request, symbol, signal);
    return { output: { ...picture, type: request.type, encoded: prepared.text } };
  },
});
