import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineSkill } from '../sdk/define-tool';
import { fileInput } from '../sdk/file-schemas';
import { costOfUnits, EMAIL_PRICES, providerPrice } from '../sdk/provider-prices';
import { requestJson } from '../sdk/provider-request';
import { InputError } from '../sdk/skill-error';
import { headerText, mailAddress } from './addresses';
import { sendMailBody } from './mail-body';

const TIME_LIMIT_MS = 60_000;
const MAX_RECIPIENTS = 50;
const MAX_BODY_CHARS = 400_000;

const recipients = z.array(mailAddress).max(MAX_RECIPIENTS);

const input = z
  .object({
    from: mailAddress.describe(
      'Sender: an address at a domain that is verified at Resend, such as Shop <orders@example.com>.',
    ),
    to: recipients.min(1).describe('Recipients: 1 to 50 addresses.'),
    cc: recipients.optional().describe('Recipients of a copy, visible to all.'),
    bcc: recipients.optional().describe('Recipients of a blind copy, not visible to the others.'),
    subject: headerText(500).describe('Subject: one line of at most 500 characters.'),
    text: z
      .string()
      .max(MAX_BODY_CHARS)
      .optional()
      .describe('The email as plain text. Pass text, html or both.'),
    html: z.string().max(MAX_BODY_CHARS).optional().describe('The email as HTML. Pass text, html or both.'),
    reply_to: mailAddress.optional().describe('Address for replies; the sender by default.'),
    attachments: z
      .array(fileInput('A file to attach.'))
      .max(10)
      .default([])
      .describe('At most 10 files, 10 MiB in total: asset ids or http(s) URLs.'),
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'Use 1 to 200 printable ASCII characters without spaces.')
      .optional()
      .describe(
        'Idempotency key of this email: Resend sends emails with the same key only once within a day.',
      ),
  })
  .superRefine(({ text, html, to, cc = [], bcc = [] }, context) => {
    const say = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (!text?.trim() && !html?.trim()) say('text', 'Pass text, html or both.');
    if (to.length + cc.length + bcc.length > MAX_RECIPIENTS)
      say('to', 'to, cc and bcc have more than 50 addresses in total. Send several emails.');
  });

const output = z.object({
  id: z.string().describe('Id of the email at Resend.'),
  recipients: z.int().describe('Number of recipients.'),
});

type Request = z.infer<typeof input>;
interface Usage {
  recipients: number;
}

const countRecipients = ({ to, cc = [], bcc = [] }: Request) => to.length + cc.length + bcc.length;

export const send = defineSkill<Request, z.infer<typeof output>, Usage>({
  name: 'send',
  displayName: 'Send an email',
  keywords:
    'mail e-mail email message notify newsletter confirmation invoice attachment customer boss team someone deliver',
  description:
    'Sends an e-mail from your own domain by Resend: a notification, a confirmation, a report with attachments, as plain text or HTML, to at most 50 addresses. The mail goes out at once and cannot be taken back. Attachments are asset ids or addresses, 10 MiB in all. Priced by recipient.',
  input,
  output,
  returns: 'The id of the mail at Resend.',
  examples: [
    {
      description: 'A short mail',
      input: {
        from: 'Shop <orders@example.com>',
        to: ['ada@example.com'],
        subject: 'Your order has left',
        text: 'Hello Ada,\n\nyour order 118 is on its way.',
      },
    },
    {
      description: 'A report as an attachment',
      input: {
        from: 'reports@example.com',
        to: ['Grace Hopper <grace@example.com>'],
        reply_to: 'team@example.com',
        subject: 'Sales of the month',
        html: '<p>Please find the report attached.</p>',
        attachments: ['asset_sample_report'],
      },
    },
  ],
  price: providerPrice<Request, Usage, typeof EMAIL_PRICES>({
    unit: 'recipient',
    typicalMicrousd: EMAIL_PRICES.recipient,
    costFields: ['to', 'cc', 'bcc'],
    rates: EMAIL_PRICES,
    most: (request, { recipient }) => costOfUnits(countRecipients(request), recipient),
    cost: (usage, { recipient }) => costOfUnits(usage.recipients, recipient),
  }),
  requirements: ['resend'],
  annotations: { readOnly: false, idempotent: false, destructive: true, estimatedSeconds: 3 },
  async run(context) {
    const { input: request, files } = context;
    const { from, to, cc, bcc, subject, text, html, reply_to, attachments } = request;
    if (new Set(attachments).size < attachments.length)
      throw new InputError('attachments: the same file is listed twice. List each file once.');
    const mail = { from, to, cc, bcc, subject, text, html, reply_to: reply_to && [reply_to] };
    // All attempts use the same key, so Resend sends the email once and a retry is safe.
    const headers = {
      'Idempotency-Key': request.idempotency_key ?? randomUUID(),
      'User-Agent': 'tool-gateway',
    };
    const { answer } = await sendMailBody(files, mail, attachments, (body) =>
      requestJson(
        context,
        { path: '/emails', body, headers, timeLimitMs: TIME_LIMIT_MS, repeatable: true, uncertain: true },
        z.object({ id: z.string().max(100) }),
      ),
    );
    const count = countRecipients(request);
    return { output: { id: answer.id, recipients: count }, usage: { recipients: count } };
  },
});
