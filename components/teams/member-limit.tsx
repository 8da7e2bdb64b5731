import type { TeamMember } from '@/server/identity/teams/schema';
import { DateTime } from '../ui/date-time';
import { IconButton } from '../ui/icon-button';
import { Pencil } from '../ui/icons';
import { Meter } from '../ui/meter';
import { formatCents, formatMoney, Money } from '../ui/money';
import { personName } from './person-name';

interface MemberLimitProps {
  member: TeamMember;
  /** Null: the viewer may not change it. */
  onEdit: (() => void) | null;
}

/** A member's monthly limit, with what is used of it. */
export function MemberLimit({ member, onEdit }: MemberLimitProps) {
  const { limit } = member;
  const name = personName(member);
  return (
    <div className="flex items-center gap-1 max-sm:justify-end">
      {limit ? (
        <div className="flex w-40 flex-col gap-1 max-sm:items-end">
          <span className="whitespace-nowrap">
            <Money usd={limit.spent_usd} /> <span className="text-muted">of</span>{' '}
            <Money usd={limit.amount_usd} /> <span className="text-muted">used</span>
          </span>
          <Meter
            label={`Spent by ${name} this month`}
            value={limit.spent_usd}
            max={limit.amount_usd}
            valueText={`${formatCents(limit.spent_usd)} of ${formatMoney(limit.amount_usd)}`}
          />
          <span className="text-muted text-xs">
            Resets <DateTime at={limit.resets_at} format="age" />
          </span>
        </div>
      ) : (
        <span className="text-muted">No limit</span>
      )}
      {onEdit && (
        <IconButton label={`Change the monthly limit of ${name}`} onClick={onEdit}>
          <Pencil aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
