import { z } from 'zod';
import { normalizeEmail } from '../../kit/email-address';
import { usdAmountSchema } from '../../money/billing/schema';
import { MAX_TEAM_NAME_LENGTH } from './limits';
import { slugProblem } from './slug';

export const TEAM_ROLES = ['owner', 'admin', 'member'] as const;
/** Roles that can be given. A team has one owner; only a transfer changes it. */
export const GIVEN_ROLES = ['admin', 'member'] as const;

export type TeamRole = (typeof TEAM_ROLES)[number];
export type GivenRole = (typeof GIVEN_ROLES)[number];

/**
 * Control characters and those that change the text direction: names appear in emails and tables.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

const slugSchema = z.string().superRefine((slug, context) => {
  const message = slugProblem(slug);
  if (message) context.addIssue({ code: 'custom', message });
});

const teamNameSchema = z
  .string()
  .trim()
  .min(1, 'Write at least one character.')
  .max(MAX_TEAM_NAME_LENGTH, `Write at most ${MAX_TEAM_NAME_LENGTH} characters.`)
  .refine((name) => !UNPRINTABLE.test(name) && VISIBLE.test(name), 'Write one line of plain text.')
  // Names appear in emails to people who did not request them, so they must not contain a link.
  .refine((name) => !name.includes('://'), 'A name cannot contain a link.');

const emailSchema = z.string().transform((text, context) => {
  try {
    return normalizeEmail(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'Enter one email address, such as ada@example.com.' });
    return z.NEVER;
  }
});

const anySlug = z.string().min(1).max(64);
const anyId = z.string().min(1).max(64);

export const teamInput = z.object({ slug: anySlug });
export const createTeamInput = z.object({ name: teamNameSchema, slug: slugSchema.optional() });
export const renameTeamInput = z.object({ slug: anySlug, name: teamNameSchema });
export const inviteInput = z.object({ slug: anySlug, email: emailSchema, role: z.enum(GIVEN_ROLES) });
export const invitationInput = z.object({ slug: anySlug, id: anyId });
export const invitationTokenInput = z.object({ token: z.string().min(1).max(200) });
export const memberInput = z.object({ slug: anySlug, user_id: anyId });
export const memberLimitInput = z.object({
  slug: anySlug,
  user_id: anyId,
  /** Dollars a calendar month (UTC); null: no limit. */
  limit_usd: usdAmountSchema.min(0).nullable(),
});
export const changeRoleInput = z.object({ slug: anySlug, user_id: anyId, role: z.enum(GIVEN_ROLES) });
export const defaultTeamInput = z.object({ slug: anySlug.nullable() });

const teamBase = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  /** The caller's role. */
  role: z.enum(TEAM_ROLES),
  /** Whether `billing: "team"` means this team. */
  is_default: z.boolean(),
  available_usd: z.number(),
  /** Whether the operator has frozen it. */
  frozen: z.boolean(),
});

export const teamSummarySchema = teamBase.extend({ members: z.int() });
export const teamListSchema = z.object({ teams: z.array(teamSummarySchema) });

export const teamMemberSchema = z.object({
  user_id: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  role: z.enum(TEAM_ROLES),
  joined_at: z.iso.datetime(),
  is_viewer: z.boolean(),
  /** What calls of their own keys may cost the team this calendar month (UTC); null: no limit. */
  limit: z
    .object({
      amount_usd: z.number(),
      /** Spent, or held by running calls. */
      spent_usd: z.number(),
      left_usd: z.number(),
      resets_at: z.iso.datetime(),
    })
    .nullable(),
});

export const teamInvitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(GIVEN_ROLES),
  /** Name, else address; null if the account was deleted. */
  invited_by: z.string().nullable(),
  sent_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  expired: z.boolean(),
});

/** What a person's keys charged to the team this calendar month (UTC). */
const memberSpendSchema = z.object({
  /** Null for keys without a known owner, and for the team's own. */
  user_id: z.string().nullable(),
  /** The keys that belong to the team, together. */
  team_keys: z.boolean(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  is_member: z.boolean(),
  calls: z.int(),
  cost_usd: z.number(),
});

export const teamDetailSchema = teamBase.extend({
  created_at: z.iso.datetime(),
  /** The part of the balance that running calls hold. */
  held_usd: z.number(),
  debt_usd: z.number(),
  members: z.array(teamMemberSchema),
  /** Unanswered invitations, newest first; empty if the caller may not invite. */
  invitations: z.array(teamInvitationSchema),
  spend: z.object({
    from: z.iso.datetime(),
    calls: z.int(),
    cost_usd: z.number(),
    by_member: z.array(memberSpendSchema),
  }),
});

export const sentInvitationSchema = z.object({
  invitation: teamInvitationSchema,
  /** The link in the email, returned only here: the gateway stores a hash. */
  url: z.string(),
  /** `inbox`: stored in the local inbox instead of sent. `none`: no mail server is configured. */
  mail: z.enum(['sent', 'inbox', 'none', 'failed']),
});

/** The preview on the join page, for anyone with the token. */
export const invitationPreviewSchema = z.object({
  state: z.enum(['open', 'expired', 'used', 'revoked', 'unknown']),
  team_name: z.string().nullable(),
  /** For links to the team's page; null unless the viewer is a member. */
  team_slug: z.string().nullable(),
  inviter: z.string().nullable(),
  role: z.enum(GIVEN_ROLES).nullable(),
  /** Masked unless it is the viewer's own address. */
  email: z.string().nullable(),
  is_yours: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
});

export const joinedTeamSchema = z.object({
  slug: z.string(),
  name: z.string(),
  role: z.enum(TEAM_ROLES),
});

export type TeamSummary = z.infer<typeof teamSummarySchema>;
export type TeamDetail = z.infer<typeof teamDetailSchema>;
export type TeamMember = z.infer<typeof teamMemberSchema>;
export type TeamInvitation = z.infer<typeof teamInvitationSchema>;
export type MemberSpend = z.infer<typeof memberSpendSchema>;
export type SentInvitation = z.infer<typeof sentInvitationSchema>;
export type InvitationPreview = z.infer<typeof invitationPreviewSchema>;
export type JoinedTeam = z.infer<typeof joinedTeamSchema>;
