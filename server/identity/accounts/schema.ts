import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';
import { apiKeySchema } from '../keys/schema';
import { MAX_PERSON_NAME_LENGTH } from './limits';

/** No fields, and no body is needed. */
export const provisionInput = strictInput({}).optional();

export const provisionResponseSchema = z
  .looseObject({
    api_key: z.string().describe('Returned only in this response. Send it as Authorization: Bearer <key>.'),
    key_prefix: z.string(),
    claim_url: z
      .string()
      .describe('A link for a person to claim the account; keys, balance and history are preserved.'),
    account_id: z.string(),
    message: z.string(),
    onboarding: z.object({
      welcome: z.string(),
      first_call: z.string().describe('A curl command, ready to run.'),
      docs_url: z.string(),
      skill_url: z.string(),
    }),
  })
  .meta({ id: 'ProvisionResponse' });

const claimTokenSchema = z.string().min(1).max(200).describe('The token from claim_url.');

export const claimInput = strictInput({
  token: claimTokenSchema,
  manages_account: z
    .boolean()
    .optional()
    .describe(
      'Whether the claimed keys may manage the account: create keys, buy credit, change settings. Default: false.',
    ),
}).meta({ id: 'ClaimRequest', example: { token: 'clm_3q2v7b…' } });

export const claimPreviewInput = z.object({ token: claimTokenSchema });

export const claimResultSchema = z
  .looseObject({
    account_id: z.string().describe('The account that now owns the keys, balance and history.'),
    keys_moved: z.array(apiKeySchema),
    credits_moved_usd: z.number(),
  })
  .meta({ id: 'ClaimResult' });

/**
 * The preview on the claim page. It contains nothing secret: anyone with the token can fetch it.
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

/** The signed-in person's profile. */
export const viewerSchema = z.object({
  user_id: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  image: z.string().nullable(),
  account_id: z.string(),
  /** Whether the person may use the operator's pages. */
  operator: z.boolean(),
  /** They may only read them: the role support. */
  read_only_operator: z.boolean(),
});

export const updateProfileInput = z.object({ name: z.string().trim().min(1).max(MAX_PERSON_NAME_LENGTH) });

export const sessionListSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      current: z.boolean(),
      created_at: z.iso.datetime().nullable(),
      expires_at: z.iso.datetime(),
      /** Such as `Firefox on Windows`; null if unknown. */
      device: z.string().nullable(),
      /** The address of the sign-in. */
      ip: z.string().nullable(),
      /** To a few minutes. */
      last_used_at: z.iso.datetime().nullable(),
    }),
  ),
});

export type Session = z.infer<typeof sessionListSchema>['sessions'][number];

export type ProvisionResponse = z.infer<typeof provisionResponseSchema>;
export type ClaimRequest = z.infer<typeof claimInput>;
export type ClaimResult = z.infer<typeof claimResultSchema>;
export type ClaimPreview = z.infer<typeof claimPreviewSchema>;
export type Viewer = z.infer<typeof viewerSchema>;
