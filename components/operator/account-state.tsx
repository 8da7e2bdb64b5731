import type { AccountRow } from '@/server/operations/operator/schema';
import { Badge } from '../ui/badge';

const TYPES = { provisional: 'Provisional', personal: 'Personal', team: 'Team' } as const;

/** The account's type, and any problem with it. */
export function AccountState({ account }: { account: AccountRow }) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={account.type === 'provisional' ? 'neutral' : 'accent'}>{TYPES[account.type]}</Badge>
      {account.frozen && <Badge tone="danger">Frozen</Badge>}
      {account.disputed && <Badge tone="danger">Disputed</Badge>}
      {account.debt_usd > 0 && <Badge tone="warning">In debt</Badge>}
      {account.closed && <Badge>Closed</Badge>}
    </span>
  );
}
