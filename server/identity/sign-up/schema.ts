import { z } from 'zod';
import { SIGN_UP_POLICIES } from '../../platform/settings/access-settings';
import { MAX_DOMAINS } from './limits';

const policySchema = z.object({ policy: z.enum(SIGN_UP_POLICIES), domains: z.array(z.string()) });

export const signUpStateSchema = z.object({
  /** What applies now. */
  current: policySchema,
  /** What the settings say, and what applies again once the operators' choice is removed. */
  settings: policySchema,
  overridden: z.boolean(),
  /** Keys without sign-up are issued (PROVISIONING). */
  provisioning: z.boolean(),
});

/** Null returns to the settings. */
export const setSignUpInput = z.object({
  choice: z
    .object({
      policy: z.enum(SIGN_UP_POLICIES),
      domains: z.array(z.string().trim().toLowerCase()).max(MAX_DOMAINS),
    })
    .nullable(),
});

export const inviteToSignUpInput = z.object({
  email: z.string().trim().min(1, 'Enter an email address.').max(254),
});
export const invitedToSignUpSchema = z.object({
  mail: z.enum(['sent', 'failed', 'not_configured']),
});

const invitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  state: z.enum(['open', 'used', 'expired']),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
export const signUpInvitationsInput = z.object({ cursor: z.string().min(1).max(100).optional() });
export const signUpInvitationsSchema = z.object({
  invitations: z.array(invitationSchema),
  next_cursor: z.string().nullable(),
});
export const signUpInvitationIdInput = z.object({ id: z.string().min(1).max(100) });

export type SignUpState = z.infer<typeof signUpStateSchema>;
export type SetSignUp = z.infer<typeof setSignUpInput>;
export type SignUpInvitation = z.infer<typeof invitationSchema>;
export type SignUpInvitations = z.infer<typeof signUpInvitationsSchema>;
export type InvitedToSignUp = z.infer<typeof invitedToSignUpSchema>;
