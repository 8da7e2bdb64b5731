'use client';

import type { AccountDetail } from '@/server/operations/operator/schema';
import { readAmount } from '../shared/amount';
import { trpc } from '../shared/trpc-provider';
import { InputProblem } from '../shared/use-submit';
import { Gift, KeyRound, Snowflake, Sun } from '../ui/icons';
import { accountName } from './account-name';
import { ActDialog } from './act-dialog';

/** The actions on the account as a whole. */
export function AccountActs({ account }: { account: AccountDetail }) {
  if (account.closed) return null;
  const { account_id, frozen } = account;
  const who = accountName(account);
  return (
    <>
      {account.second_factor && (
        <ActDialog
          label="Reset second factor"
          icon={<KeyRound aria-hidden />}
          size="md"
          title={`Reset two-step verification of ${who}?`}
          consequence="Signing in needs only the email link until they set it up again. They get an email. Verify first that the request is theirs."
          confirmLabel="Reset second factor"
          danger
          reason
          done="Second factor reset"
          act={({ reason = '' }) => trpc.operator.accounts.resetFactor.mutate({ account_id, reason })}
        />
      )}
      <ActDialog
        label="Grant credit"
        icon={<Gift aria-hidden />}
        size="md"
        title={`Grant credit to ${who}`}
        consequence="Adds free credit. It can be spent immediately, and spent credit cannot be recovered."
        confirmLabel="Grant credit"
        fields={[{ name: 'amount', label: 'Amount', hint: 'In dollars, such as 5 or 0.25.', decimal: true }]}
        reason
        done="Credit granted"
        act={async ({ amount = '', reason = '' }, form) => {
          const read = readAmount('Amount', amount);
          if ('problem' in read) throw new InputProblem(read.problem);
          if (read.usd === 0) throw new InputProblem('Amount: enter more than zero.');
          await trpc.operator.accounts.grant.mutate({ account_id, amount_usd: read.usd, reason, form });
        }}
      />
      {frozen ? (
        <ActDialog
          label="Unfreeze"
          icon={<Sun aria-hidden />}
          size="md"
          title={`Unfreeze ${who}?`}
          consequence="Its keys work again from their next request."
          confirmLabel="Unfreeze account"
          reason
          done="Account unfrozen"
          act={({ reason = '' }) => trpc.operator.accounts.unfreeze.mutate({ account_id, reason })}
        />
      ) : (
        <ActDialog
          label="Freeze"
          icon={<Snowflake aria-hidden />}
          size="md"
          title={`Freeze ${who}?`}
          consequence="All its requests for calls, balance and keys are refused from now on. Running calls still finish and are charged."
          confirmLabel="Freeze account"
          danger
          reason
          done="Account frozen"
          act={({ reason = '' }) => trpc.operator.accounts.freeze.mutate({ account_id, reason })}
        />
      )}
    </>
  );
}
