import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';
import { apiKeySchema } from '../keys/schema';

export const provisionResponseSchema = z
  .looseObject({
    api_key: z.string().describe('Shown once, here. Send it as Authorization: Bearer <key>.'),
    key_prefix: z.string(),
    claim_url: z.string().describe('Give this to a person: they take the key over and keep everything.'),
    account_id: z.string(),
    message: z.string(),
    onboarding: z.object({
      welcome: z.string(),
      first_call: z.string().describe('A curl line that works as it is.'),
      docs_url: z.string(),
      skill_url: z.string(),
    }),
  })
  .meta({ id: 'ProvisionResponse' });

const claimTokenSchema = z.string().min(1).max(200).describe('The token of the claim_url.');

export const claimInput = strictInput({
  token: claimTokenSchema,
  manages_account: z
    .boolean()
    .optional()
    .describe(
      'Whether the claimed keys may manage the account: create keys, buy credit, change settings. Not unless it is true.',
    ),
}).meta({ id: 'ClaimRequest', example: { token: 'clm_3q2v7b…' } });

export const claimPreviewInput = z.object({ token: claimTokenSchema });

export const claimResultSchema = z
  .looseObject({
    account_id: z.string().describe('The account that holds everything now.'),
    keys_moved: z.array(apiKeySchema),
    credits_moved_usd: z.number(),
  })
  .meta({ id: 'ClaimResult' });

/**
 * What the claim page shows before anything happens. Public to whoever holds the token; nothing in
 * it is secret.
 */
export const claimPreviewSchema = z.object({
  state: z.enum(['open', 'claimed_by_you', 'claimed', 'unknown']),
  keys: z.array(z.object({ name: z.string(), key_prefix: z.string() })),
  created_at: z.iso.datetime().nullable(),
  calls: z.int(),
  credits_usd: z.number(),
  assets: z.int(),
  reviews: z.int(),
});

/** The signed-in person, as the dashboard's shell shows them. */
export const viewerSchema = z.object({
  user_id: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  image: z.string().nullable(),
  account_id: z.string(),
  /** Runs this gateway: the operator's pages are there for them. */
  operator: z.boolean(),
});

export const updateProfileInput = z.object({ name: z.string().trim().min(1).max(100) });

export const sessionListSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      current: z.boolean(),
      created_at: z.iso.datetime().nullable(),
      expires_at: z.iso.datetime(),
    }),
  ),
});

export type ProvisionResponse = z.infer<typeof provisionResponseSchema>;
export type ClaimRequest = z.infer<typeof claimInput>;
export type ClaimResult = z.infer<typeof claimResultSchema>;
export type ClaimPreview = z.infer<typeof claimPreviewSchema>;
export type Viewer = z.infer<typeof viewerSchema>;
