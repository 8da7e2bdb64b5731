import { Snowflake } from 'lucide-react';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';

/** The operator has stopped the account: nothing of it can be changed or bought. */
export function AccountFrozen() {
  return (
    <Card>
      <EmptyState icon={<Snowflake />} title="This account is frozen">
        <h1 className="sr-only">Billing</h1>
        Its keys and connected applications are refused, and nothing of it can be changed or bought. You can
        still revoke keys, disconnect applications and end sessions. Ask the operator of this gateway why.
      </EmptyState>
    </Card>
  );
}
