import type { UsageFilter } from '@/server/usage/schema';
import { formatCount } from '../shared/format';
import { IntentLink } from '../ui/intent-link';
import { Notice } from '../ui/notice';
import { refusalsHref } from './view';

/** That calls were refused in the last 24 hours, with a link to them. */
export function RefusedNotice({ refused, filter }: { refused: number; filter: UsageFilter }) {
  return (
    <Notice tone="warning">
      {formatCount(refused, 'call was', 'calls were')} refused in the last 24 hours.{' '}
      <IntentLink href={refusalsHref({ ...filter, period: '24h' })} className="link">
        See why
      </IntentLink>
    </Notice>
  );
}
