import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { Snowflake } from '../ui/icons';

/** Shown instead of Billing when an operator has frozen the account. */
export function AccountFrozen() {
  return (
    <Card>
      <EmptyState icon={<Snowflake />} title="This account is frozen">
        <h1 className="sr-only">Billing</h1>
        Requests from its keys and connected applications are refused, and you can’t buy credit or change
        settings. You can still revoke keys, disconnect applications and end sessions. Ask the operator of
        this gateway.
      </EmptyState>
    </Card>
  );
}
