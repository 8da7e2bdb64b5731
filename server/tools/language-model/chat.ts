import { z } from 'zod';
import { defineSkill } from '../sdk/define-tool';
import { complete } from './complete';
import {
  buildChoiceOutput,
  CHAT_PROVIDERS,
  type ChatUsage,
  checkChoice,
  choiceInput,
  choiceOutput,
  chooseModel,
  estimateMaxTokens,
  getProvidersForChoice,
  MAX_CHARS,
  MAX_TOKENS,
  stopReason,
  tokenPrice,
} from './models';

const MAX_MESSAGES = 100;

const input = z
  .object({
    messages: z
      .array(
        z.object({
          role: z.enum(['user', 'assistant']).describe('Author of the message.'),
          content: z.string().trim().min(1).max(MAX_CHARS).describe('Text of the message.'),
        }),
      )
      .min(1)
      .max(MAX_MESSAGES)
      .refine((messages) => messages.at(-1)?.role === 'user', 'The last message must have the role user.')
      .describe(
        'The conversation so far, ending with the question: 1 to 100 messages, at most 200,000 characters in total.',
      ),
    system: z
      .string()
      .trim()
      .max(50_000)
      .optional()
      .describe('Instructions for the model: role, tone, rules. At most 50,000 characters.'),
    max_tokens: z
      .int()
      .min(16)
      .max(MAX_TOKENS)
      .default(1_024)
      .describe(
        'Maximum length of the response in tokens of about four letters, 16 to 8,192; 1,024 by default.',
      ),
    temperature: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Randomness of the response, 0 to 1. Only gpt-4.1-mini and claude-haiku-4-5 support it.'),
    ...choiceInput,
  })
  .superRefine((request, context) => {
    checkChoice(request, context);
    const chars = request.messages.reduce((sum, { content }) => sum + content.length, 0);
    if (chars > MAX_CHARS)
      context.addIssue({
        code: 'custom',
        path: ['messages'],
        message: `The messages have ${chars} characters in total; the limit is 200,000.`,
      });
  });

const output = z.object({
  text: z.string().describe('The response of the model; can be empty if it stopped early.'),
  stop_reason: stopReason,
  ...choiceOutput,
});

export const chat = defineSkill<z.infer<typeof input>, z.infer<typeof output>, ChatUsage>({
  name: 'chat',
  displayName: 'Chat',
  keywords:
    'gpt chatgpt claude ai assistant talk translate translation language rewrite rephrase paraphrase correct grammar spelling proofread tone poem story essay write draft letter explain question answer ask brainstorm ideas classify',
  description:
    'Asks a large language model of OpenAI (GPT) or Anthropic (Claude) a question, or continues a conversation, and gives its answer as text: write, rewrite, translate, explain, brainstorm, classify, write code. Takes messages, system instructions, a model and the length of the answer. Up to 200,000 characters in, 8,192 tokens out. Priced by the tokens that the provider counts.',
  input,
  output,
  returns: 'The answer as text, why it ended, and the tokens it took.',
  examples: [
    {
      description: 'Ask a question',
      input: { messages: [{ role: 'user', content: 'Why is the sky blue? Two sentences.' }] },
    },
    {
      description: 'Translate with Claude, in a set tone',
      input: {
        provider: 'anthropic',
        system: 'You translate into formal German. Answer with the translation only.',
        messages: [{ role: 'user', content: 'Could you send me the invoice again?' }],
        max_tokens: 200,
      },
    },
    {
      description: 'Continue a conversation with a chosen model, the same way each time',
      input: {
        model: 'gpt-4.1-mini',
        temperature: 0,
        messages: [
          { role: 'user', content: 'Name a river in France.' },
          { role: 'assistant', content: 'The Loire.' },
          { role: 'user', content: 'And one in Italy?' },
        ],
      },
    },
  ],
  price: tokenPrice(
    ({ system = '', messages, max_tokens }) => [
      {
        inputTokens: estimateMaxTokens([system, ...messages.map(({ content }) => content)]),
        outputTokens: max_tokens,
      },
    ],
    ['max_tokens', 'messages', 'system'],
  ),
  requirements: CHAT_PROVIDERS,
  getRequirementsFor: getProvidersForChoice,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 5 },
  async run(context) {
    const { input: chatRequest, provider } = context;
    const { messages, system, temperature, max_tokens: maxTokens } = chatRequest;
    const model = chooseModel(chatRequest, provider);
    const { text, stop, tokens } = await complete(context, {
      model,
      messages,
      system,
      temperature,
      maxTokens,
    });
    return {
      output: {
        text,
        stop_reason: stop,
        ...buildChoiceOutput(provider.slot, model, [tokens]),
      },
      usage: { model, requests: [tokens] },
    };
  },
});
