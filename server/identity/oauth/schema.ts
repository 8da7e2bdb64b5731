import { z } from 'zod';
import { usdAmountSchema } from '../../money/billing/schema';

/** Characters of one request parameter. Large, because clients store their own data in `state`. */
const MAX_VALUE_LENGTH = 4096;
const MAX_VALUES = 5;

/** A query parameter; an array if it is repeated. */
const parameter = z
  .union([z.string().max(MAX_VALUE_LENGTH), z.array(z.string().max(MAX_VALUE_LENGTH)).max(MAX_VALUES)])
  .optional();

/** The unchecked query of an authorization request (RFC 6749 4.1.1, RFC 7636, RFC 8707). */
export const authorizationRequestSchema = z.object({
  response_type: parameter,
  client_id: parameter,
  redirect_uri: parameter,
  state: parameter,
  scope: parameter,
  code_challenge: parameter,
  code_challenge_method: parameter,
  resource: parameter,
});

/** Where the redirect URI leads: the only verified fact about an application. */
const placeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('web'), host: z.string() }),
  z.object({ kind: z.literal('computer') }),
  z.object({ kind: z.literal('app'), scheme: z.string() }),
]);

const applicationSchema = z.object({
  name: z.string().describe('The name the application gave itself: untrusted text.'),
  uri: z.string().nullable().describe('The home page the application gave: untrusted.'),
  place: placeSchema.describe('Where its redirect URI leads.'),
  document_host: z
    .string()
    .nullable()
    .describe('The host of its metadata document; null for a registered application.'),
});

export const describedRequestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), problem: z.string() }),
  z.object({
    kind: z.literal('faulty'),
    problem: z.string(),
    application: applicationSchema,
    /** Redirects to the application with the error. */
    return_url: z.string(),
  }),
  z.object({
    kind: z.literal('asked'),
    application: applicationSchema,
    /** Redirects to the application with access_denied. */
    deny_url: z.string(),
    replaces: z.boolean().describe('Whether approval ends an existing grant of this application.'),
  }),
]);

const creditsSchema = usdAmountSchema.min(0, 'Must not be negative.').nullable();

export const approveInput = z.object({
  request: authorizationRequestSchema,
  credits: creditsSchema.describe('Credit limit in dollars; null: no limit but the balance.'),
});

export const approvedSchema = z.object({ url: z.string().describe('Where to redirect the browser.') });

export const connectionSchema = z.object({
  id: z.string(),
  key_id: z.string(),
  name: z.string(),
  place: placeSchema,
  document_host: z.string().nullable(),
  connected_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  credits: z.number().nullable().describe('What is left of its credit limit, in dollars; null: no limit.'),
  credits_used: z.number(),
});

export const connectionListSchema = z.object({ connections: z.array(connectionSchema) });

const idInput = z.object({ id: z.string().min(1).max(64) });
export const disconnectInput = idInput;
export const connectionLimitInput = idInput.extend({ credits: creditsSchema });

export type AuthorizationRequest = z.infer<typeof authorizationRequestSchema>;
export type Application = z.infer<typeof applicationSchema>;
export type Place = z.infer<typeof placeSchema>;
export type DescribedRequest = z.infer<typeof describedRequestSchema>;
export type Connection = z.infer<typeof connectionSchema>;
