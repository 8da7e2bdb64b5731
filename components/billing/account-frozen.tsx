import { Snowflake } from 'lucide-react';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';

/** The operator has stopped the account: nothing of it can be shown or bought. */
export function AccountFrozen() {
  return (
    <Card>
      <EmptyState icon={<Snowflake />} title="This account is frozen">
        <h1 className="sr-only">Billing</h1>
        Its keys are refused and no credit can be bought for it. Ask the operator of this gateway why.
      </EmptyState>
    </Card>
  );
}
