import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { variablesSchema } from '../sdk/variables-schema';
import { runInWorker } from '../sdk/workers';
import type * as worker from './email-worker.mjs';
import { MAX_MJML_CHARS, TIME_LIMIT_MS } from './limits.mjs';

/** A tenth of a cent. */
const PRICE_MICROUSD = 1_000n;
const MAX_VALUE_CHARS = 10_000;

const MAX_VARIABLES = 1_000;

const input = z.object({
  mjml: z
    .string()
    .min(1)
    .max(MAX_MJML_CHARS)
    .describe(
      'The email in MJML: <mjml> with <mj-body>, or only the sections inside it. {{name}} is filled from variables. mj-include is not supported.',
    ),
  variables: variablesSchema(
    MAX_VARIABLES,
    z.string(),
    z.union([z.string().max(MAX_VALUE_CHARS), z.number()]),
  )
    .default({})
    .describe('Values for {{name}} in the email, inserted as text: {"name": "Ada"}. At most 1,000.'),
});

const output = z.object({
  html: z
    .string()
    .describe('The email as HTML with inlined styles, which email clients display consistently.'),
  text: z.string().describe('The plain text version of the email.'),
  asset: assetOutput.describe('The HTML as a file.'),
  size_bytes: z.int().describe('Size of the HTML in bytes.'),
  warnings: z.array(z.string()).describe('Problems in the MJML, by line; empty if there are none.'),
});

export const renderEmail = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'render_email',
  displayName: 'Render an email',
  keywords: 'newsletter marketing html email mail template layout responsive outlook gmail design',
  description:
    'Turns MJML into responsive email HTML that looks right in Gmail, Outlook and Apple Mail, on phones too, with a plain text version. Fills in names and numbers from variables. It writes the mail and does not send it.',
  input,
  output,
  returns: 'The HTML and plain text of the mail, with warnings about the MJML.',
  examples: [
    {
      description: 'A welcome mail with a button, filled with a name',
      input: {
        mjml: '<mjml><mj-head><mj-preview>Good to have you</mj-preview></mj-head><mj-body background-color="#f3f4f6"><mj-section background-color="#ffffff"><mj-column><mj-text font-size="22px">Welcome, {{name}}</mj-text><mj-text>Your account is ready.</mj-text><mj-button href="https://example.com/start">Get started</mj-button></mj-column></mj-section></mj-body></mjml>',
        variables: { name: 'Ada' },
      },
    },
    {
      description: 'Only a section; the rest of the mail is added',
      input: {
        mjml: '<mj-section><mj-column><mj-text>Your order {{number}} was sent today.</mj-text></mj-column></mj-section>',
        variables: { number: 4711 },
      },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1.5 },
  async run({ input: { mjml, variables }, files, signal }) {
    const path = await files.scratch('html');
    const mail = acceptOrRefuse(
      await runInWorker<typeof worker.renderEmail>(
        'server/tools/document/email-worker.mjs',
        'renderEmail',
        { mjml, variables, output: path },
        { signal, timeLimitMs: TIME_LIMIT_MS },
      ),
    );
    const asset = await files.save({ path }, { filename: 'email.html', contentType: 'text/html' });
    return { output: { ...mail, asset, size_bytes: asset.size_bytes } };
  },
});
