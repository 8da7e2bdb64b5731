import type { Deprecated } from '@/server/core/versions/schema';
import { DateTime } from '../ui/date-time';
import { Notice } from '../ui/notice';

interface DeprecationNoticeProps {
  /** What is deprecated, as the start of the title: "This tool". */
  what: string;
  deprecated: Deprecated;
}

/** States that something is deprecated, how long it works, and what to use instead. */
export function DeprecationNotice({ what, deprecated }: DeprecationNoticeProps) {
  const { since, sunset, replacement, link } = deprecated;
  return (
    <Notice tone="warning" title={`${what} is deprecated`}>
      <p>
        Since <DateTime at={since} format="date" />.{' '}
        {sunset ? (
          <>
            It works until <DateTime at={sunset} format="date" /> at least.
          </>
        ) : (
          'No end date is set.'
        )}{' '}
        {replacement && (
          <>
            Use <code>{replacement}</code> instead.{' '}
          </>
        )}
        <a href={link} className="text-accent underline">
          Read more
        </a>
      </p>
    </Notice>
  );
}
