import { CALL_WINDOWS } from '@/server/core/limits/limits';
import type { BlockedKey, UsageFilter } from '@/server/usage/schema';
import { errorHint } from '../shared/error-hint';
import { formatCount } from '../shared/format';
import { DateTime } from '../ui/date-time';
import { IntentLink } from '../ui/intent-link';
import { Notice } from '../ui/notice';
import { refusalsHref } from '../usage/view';

/** By code and limit of the error. */
const REASONS: Partial<Record<string, string>> = {
  'INSUFFICIENT_CREDITS account': 'The account does not have enough credit',
  'INSUFFICIENT_CREDITS debt': 'The account has a debt',
  'INSUFFICIENT_CREDITS key': 'The key does not have enough credit',
  'RATE_LIMIT_EXCEEDED concurrency': 'The key has reached its limit of calls at once',
  ...Object.fromEntries(
    CALL_WINDOWS.map(({ name, per }) => [
      `RATE_LIMIT_EXCEEDED ${name}`,
      `The key has reached its limit of calls ${per}`,
    ]),
  ),
  'SPENDING_LIMIT_EXCEEDED key': 'The key has reached its spending limit',
  'SPENDING_LIMIT_EXCEEDED member': 'The member has reached their spending limit in the team',
  'SPENDING_LIMIT_EXCEEDED month': 'The account has reached its monthly limit',
};

/** At least 24 pixels high, as wrapped links on a phone must be. */
const LINK = 'link inline-block py-0.5';

interface BlockedNoticeProps {
  blocked: BlockedKey;
  /** The account of the key, and the key. */
  filter: UsageFilter;
}

/** Why calls of a key are refused, since when and until when, how many, and what to do. */
export function BlockedNotice({ blocked, filter }: BlockedNoticeProps) {
  const { error_code: code, limit, refused, since, retry_at: until } = blocked;
  const inBilling = limit === 'month' || limit === 'account' || limit === 'debt';
  return (
    <Notice tone="warning" title={REASONS[`${code} ${limit}`] ?? 'A limit refuses calls of this key'}>
      <p>
        {formatCount(refused, 'call was', 'calls were')} refused since <DateTime at={since} format="exact" />.{' '}
        {until !== null && (
          <>
            The limit resets <DateTime at={until} format="exact" />.{' '}
          </>
        )}
        {errorHint(code)}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        <IntentLink href={refusalsHref({ ...filter, period: '24h' })} className={LINK}>
          Refused calls
        </IntentLink>
        {inBilling && (
          <IntentLink
            href={`/dashboard/billing${filter.billing === undefined ? '' : `?billing=${encodeURIComponent(filter.billing)}`}`}
            className={LINK}
          >
            {limit === 'month' ? 'Change the limit' : 'Buy credit'}
          </IntentLink>
        )}
        <a href={`/docs/errors#${code}`} className={LINK}>
          What {code} means
        </a>
      </p>
    </Notice>
  );
}
