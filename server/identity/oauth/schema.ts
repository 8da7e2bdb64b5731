import { z } from 'zod';
import { usdAmountSchema } from '../../money/billing/schema';

/** Longest value of one parameter of an authorization request; clients keep their own state in `state`. */
const MAX_VALUE_LENGTH = 4096;
const MAX_VALUES = 5;

/** As it stands in the address: a parameter that comes twice is a list. */
const parameter = z
  .union([z.string().max(MAX_VALUE_LENGTH), z.array(z.string().max(MAX_VALUE_LENGTH)).max(MAX_VALUES)])
  .optional();

/** The query of an authorization request (RFC 6749 section 4.1.1, RFC 7636, RFC 8707), unchecked. */
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

/** Where an application is: all that is known of it beside what it says. */
const placeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('web'), host: z.string() }),
  z.object({ kind: z.literal('computer') }),
  z.object({ kind: z.literal('app'), scheme: z.string() }),
]);

const applicationSchema = z.object({
  name: z.string().describe('What it calls itself: untrusted text.'),
  uri: z.string().nullable().describe('Its home page, as it says.'),
  place: placeSchema.describe('Where its answers go.'),
  document_host: z.string().nullable().describe('Of the document that it is known by, where it has one.'),
});

export const describedRequestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), problem: z.string() }),
  z.object({
    kind: z.literal('faulty'),
    problem: z.string(),
    application: applicationSchema,
    /** Takes the error to the application. */
    return_url: z.string(),
  }),
  z.object({
    kind: z.literal('asked'),
    application: applicationSchema,
    /** Tells the application no. */
    deny_url: z.string(),
    replaces: z.boolean().describe('Whether it has access already, which ends where this is allowed.'),
  }),
]);

const creditsSchema = usdAmountSchema.min(0, 'Must not be negative.').nullable();

export const approveInput = z.object({
  request: authorizationRequestSchema,
  credits: creditsSchema.describe('The most that it may spend, in dollars; null: no limit but the balance.'),
});

export const approvedSchema = z.object({ url: z.string().describe('Where the browser goes on to.') });

export const connectionSchema = z.object({
  id: z.string(),
  key_id: z.string(),
  name: z.string(),
  place: placeSchema,
  document_host: z.string().nullable(),
  connected_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  credits: z.number().nullable().describe('What it may still spend; null: no limit of its own.'),
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
