import { z } from 'zod';

/** APIs whose definitions of functions the catalogue can be written in. */
export const FORMATS = ['openai', 'anthropic', 'gemini', 'mcp'] as const;
export type Format = (typeof FORMATS)[number];

const reasons = z
  .enum(['unavailable', 'unsupported', 'limit'])
  .describe(
    'unavailable: it cannot be called now, or only with your own provider key. unsupported: the API cannot express its input. limit: the API takes no more.',
  );

/** Fields of a response that was requested with `format`. */
export const definitionsShape = {
  format: z.enum(FORMATS).optional().describe('The requested format; absent without one.'),
  definitions: z
    .array(z.looseObject({}))
    .optional()
    .describe('With format: pass them to the API as its tools. They replace the tools or skills.'),
  calls: z
    .record(z.string(), z.object({ tool: z.string(), skill: z.string() }))
    .optional()
    .describe(
      'With format: what to send to POST /v1/tools/call, by the name that the model calls. Its arguments are the input.',
    ),
  omitted: z
    .array(z.object({ tool: z.string(), skill: z.string(), reason: reasons }))
    .optional()
    .describe('With format: the skills without a definition.'),
};

export const formatInput = z
  .enum(FORMATS)
  .describe(
    'Return definitions of functions for the API of a model in place of tools or skills: pass `definitions` to it, and send what it calls to POST /v1/tools/call.',
  )
  .optional();

type Optional = z.infer<z.ZodObject<typeof definitionsShape>>;
export type Definitions = { [Field in keyof Optional]-?: NonNullable<Optional[Field]> };
