import { z } from 'zod';
import { openProcedure, router, sessionProcedure } from '../../core/trpc/procedures';
import { acceptInvitation } from './accept-invitation';
import { changeRole } from './change-role';
import { createTeam } from './create-team';
import { declineInvitation } from './decline-invitation';
import { getTeam } from './get-team';
import { inviteMember } from './invite-member';
import { leaveTeam } from './leave-team';
import { listTeams } from './list-teams';
import { setMemberLimit } from './member-limit';
import { previewInvitation } from './preview-invitation';
import { removeMember } from './remove-member';
import { removeTeam } from './remove-team';
import { renameTeam } from './rename-team';
import { revokeInvitation } from './revoke-invitation';
import {
  changeRoleInput,
  createTeamInput,
  defaultTeamInput,
  invitationInput,
  invitationPreviewSchema,
  invitationTokenInput,
  inviteInput,
  joinedTeamSchema,
  memberInput,
  memberLimitInput,
  renameTeamInput,
  sentInvitationSchema,
  teamDetailSchema,
  teamInput,
  teamListSchema,
} from './schema';
import { setDefaultTeam } from './set-default-team';
import { transferOwnership } from './transfer-ownership';

const done = z.object({ success: z.literal(true) });

/** For the dashboard only: API keys can charge a team and read its balance, but not manage it. */
export const teamsRouter = router({
  list: sessionProcedure.output(teamListSchema).query(({ ctx }) => listTeams(ctx.runtime, ctx.actor)),

  get: sessionProcedure
    .input(teamInput)
    .output(teamDetailSchema)
    .query(({ ctx, input }) => getTeam(ctx.runtime, ctx.actor, input.slug)),

  create: sessionProcedure
    .input(createTeamInput)
    .output(joinedTeamSchema)
    .mutation(({ ctx, input }) => createTeam(ctx.runtime, ctx.actor, input)),

  rename: sessionProcedure
    .input(renameTeamInput)
    .output(joinedTeamSchema)
    .mutation(({ ctx, input }) => renameTeam(ctx.runtime, ctx.actor, input)),

  invite: sessionProcedure
    .input(inviteInput)
    .output(sentInvitationSchema)
    .mutation(({ ctx, input }) => inviteMember(ctx.runtime, ctx.actor, input, ctx.clientIp)),

  revokeInvitation: sessionProcedure
    .input(invitationInput)
    .output(done)
    .mutation(({ ctx, input }) => revokeInvitation(ctx.runtime, ctx.actor, input)),

  previewInvitation: openProcedure
    .input(invitationTokenInput)
    .output(invitationPreviewSchema)
    .query(({ ctx, input }) => previewInvitation(ctx, input.token)),

  acceptInvitation: sessionProcedure
    .input(invitationTokenInput)
    .output(joinedTeamSchema)
    .mutation(({ ctx, input }) => acceptInvitation(ctx.runtime, ctx.actor, input.token)),

  declineInvitation: sessionProcedure
    .input(invitationTokenInput)
    .output(done)
    .mutation(({ ctx, input }) => declineInvitation(ctx.runtime, ctx.actor, input.token)),

  changeRole: sessionProcedure
    .input(changeRoleInput)
    .output(done)
    .mutation(({ ctx, input: { slug, user_id: userId, role } }) =>
      changeRole(ctx.runtime, ctx.actor, { slug, userId, role }),
    ),

  setMemberLimit: sessionProcedure
    .input(memberLimitInput)
    .output(done)
    .mutation(({ ctx, input: { slug, user_id: userId, limit_usd: limitUsd } }) =>
      setMemberLimit(ctx.runtime, ctx.actor, { slug, userId, limitUsd }),
    ),

  removeMember: sessionProcedure
    .input(memberInput)
    .output(done)
    .mutation(({ ctx, input: { slug, user_id: userId } }) =>
      removeMember(ctx.runtime, ctx.actor, { slug, userId }),
    ),

  leave: sessionProcedure
    .input(teamInput)
    .output(done)
    .mutation(({ ctx, input }) => leaveTeam(ctx.runtime, ctx.actor, input.slug)),

  setDefault: sessionProcedure
    .input(defaultTeamInput)
    .output(done)
    .mutation(({ ctx, input }) => setDefaultTeam(ctx.runtime, ctx.actor, input.slug)),

  transferOwnership: sessionProcedure
    .input(memberInput)
    .output(done)
    .mutation(({ ctx, input: { slug, user_id: userId } }) =>
      transferOwnership(ctx.runtime, ctx.actor, { slug, userId }),
    ),

  remove: sessionProcedure
    .input(teamInput)
    .output(done)
    .mutation(({ ctx, input }) => removeTeam(ctx.runtime, ctx.actor, input.slug)),
});
