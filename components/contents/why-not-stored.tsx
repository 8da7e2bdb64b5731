import Link from 'next/link';
import { LARGEST_CONTENT_BYTES } from '@/server/calls/contents/limits';
import type { ContentSettings } from '@/server/calls/contents/schema';

interface WhyNotStoredProps {
  settings: ContentSettings;
  /** The slug of the charged team; null for the personal account. */
  team: string | null;
  /** What storing contents is good for here, such as "to see them here". */
  purpose: string;
}

/** Why the contents of a call are not stored, and what the viewer can do about it. */
export function WhyNotStored({ settings, team, purpose }: WhyNotStoredProps) {
  const { choices, days, can_change: canChange } = settings;
  const place = team === null ? 'settings' : `team/${encodeURIComponent(team)}`;
  const link = (text: string) => (
    <Link href={`/dashboard/${place}#contents`} className="link">
      {text}
    </Link>
  );
  if (choices.length === 0) return 'The operator of this gateway has switched it off.';
  if (days === null && !canChange) return 'Owners and admins of the team can switch it on.';
  if (days === null)
    return (
      <>
        {link('Store contents of calls')} {purpose}.
      </>
    );
  return (
    <>
      {writeLimit(settings)} {link('Contents of calls')}
    </>
  );
}

function writeLimit({ days, stored_bytes: bytes, max_bytes: most }: ContentSettings): string {
  if (most - bytes < LARGEST_CONTENT_BYTES) return 'The space for contents is used up.';
  return `Contents are stored for ${days === 1 ? '1 day' : `${days} days`}, of calls after it was switched on.`;
}
