import type { Format } from './formats';
import type { Json } from './json';
import { toGeminiSchema } from './to-gemini-schema';
import { toPlainSchema } from './to-plain-schema';

/** The shortest limit of a description, OpenAI's. */
export const MAX_DESCRIPTION = 1024;
const ANY_NAME = /^/;
const ANTHROPIC_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** The schemas of a skill are one object for as long as it exists, so each is converted once. */
function once(convert: (input: Json) => Json | undefined): (input: Json) => Json | undefined {
  const known = new WeakMap<Json, { schema: Json | undefined }>();
  return (input) => {
    const found = known.get(input) ?? { schema: convert(input) };
    known.set(input, found);
    return found.schema;
  };
}

const toOpenAi = once((input) => toPlainSchema(input, ANY_NAME));
const toAnthropic = once((input) => toPlainSchema(input, ANTHROPIC_NAME));
const toGemini = once(toGeminiSchema);

/** A skill as a function. */
export interface Described {
  name: string;
  title: string;
  description: string;
  input: Json;
  annotations: { readOnly: boolean; idempotent: boolean; destructive: boolean };
}

/** How an API takes definitions of functions. */
interface Dialect {
  /** The most definitions that the API accepts. */
  readonly limit: number;
  /** Returns undefined if the API cannot express the input. */
  define(skill: Described): Json | undefined;
  /** Puts the definitions into the form that the API takes as its tools. */
  wrap(definitions: Json[]): Json[];
}

const unwrapped = (definitions: Json[]) => definitions;

export const DIALECTS: Record<Format, Dialect> = {
  openai: {
    limit: 128,
    define({ name, description, input }) {
      const parameters = toOpenAi(input);
      // Strict schemas have no optional fields and no free-form objects.
      const definition = { name, description, parameters, strict: false };
      return parameters && { type: 'function', function: definition };
    },
    wrap: unwrapped,
  },
  anthropic: {
    limit: Number.POSITIVE_INFINITY,
    define({ name, description, input }) {
      const schema = toAnthropic(input);
      return schema && { name, description, input_schema: schema };
    },
    wrap: unwrapped,
  },
  gemini: {
    limit: 128,
    define({ name, description, input }) {
      const parameters = toGemini(input);
      // A function without parameters has none.
      return parameters && { name, description, ...(parameters.properties ? { parameters } : {}) };
    },
    wrap: (definitions) => (definitions.length > 0 ? [{ functionDeclarations: definitions }] : []),
  },
  mcp: {
    limit: Number.POSITIVE_INFINITY,
    define: ({ name, title, description, input, annotations }) => ({
      name,
      title,
      description,
      inputSchema: input,
      annotations: {
        readOnlyHint: annotations.readOnly,
        idempotentHint: annotations.idempotent,
        destructiveHint: annotations.destructive,
      },
    }),
    wrap: unwrapped,
  },
};
