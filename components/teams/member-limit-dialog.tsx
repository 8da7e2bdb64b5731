'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { TeamDetail, TeamMember } from '@/server/identity/teams/schema';
import { readAmount, writeAmount } from '../shared/amount';
import { DialogForm } from '../shared/dialog-form';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { formatCents, formatMoney } from '../ui/money';
import { toast } from '../ui/toast';
import { personName } from './person-name';

const LABEL = 'Monthly limit';

interface MemberLimitDialogProps {
  team: TeamDetail;
  member: TeamMember;
  onClose: () => void;
}

/** Asks what calls of a member may cost the team in a month. */
export function MemberLimitDialog({ team, member, onClose }: MemberLimitDialogProps) {
  const { limit } = member;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Monthly limit of ${personName(member)}`}
      description={
        limit
          ? `Now ${formatMoney(limit.amount_usd)}: ${formatCents(limit.spent_usd)} is spent and ${formatCents(limit.left_usd, 'auto', true)} is left this month.`
          : 'What calls of their own keys and of the playground may cost the team in a calendar month (UTC).'
      }
    >
      <LimitForm team={team} member={member} onDone={onClose} />
    </Dialog>
  );
}

interface LimitFormProps {
  team: TeamDetail;
  member: TeamMember;
  onDone: () => void;
}

function LimitForm({ team, member, onDone }: LimitFormProps) {
  const queries = useQueryClient();
  const form = useSubmit({ limit_usd: LABEL }, async (read) => {
    const text = read('limit_usd');
    const amount = text === '' ? null : readAmount(LABEL, text);
    if (amount && 'problem' in amount) throw new InputProblem(amount.problem, 'limit_usd');
    await trpc.teams.setMemberLimit.mutate({
      slug: team.slug,
      user_id: member.user_id,
      limit_usd: amount === null ? null : amount.usd,
    });
    await queries.invalidateQueries({ queryKey: queryKey.team(team.slug) });
    onDone();
    toast.success(
      amount === null
        ? `${personName(member)} has no monthly limit`
        : `${personName(member)} can spend ${formatMoney(amount.usd)} a month`,
    );
  });
  return (
    <DialogForm form={form} confirmLabel="Save limit">
      <Field
        label={LABEL}
        optional
        hint="In dollars. What was spent this month counts. Leave empty for no limit besides the balance."
        error={form.fieldError('limit_usd')}
      >
        <Input
          name="limit_usd"
          inputMode="decimal"
          autoComplete="off"
          placeholder="$25.00"
          defaultValue={member.limit ? writeAmount(member.limit.amount_usd) : undefined}
        />
      </Field>
    </DialogForm>
  );
}
