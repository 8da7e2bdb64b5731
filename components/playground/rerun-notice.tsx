import type { ContentSettings } from '@/server/calls/contents/schema';
import { WhyNotStored } from '../contents/why-not-stored';
import { Notice } from '../ui/notice';

/** What is known of the input of a call that is run again. */
export type Rerun =
  | { state: 'complete' }
  | { state: 'gaps' }
  | { state: 'hidden' }
  /** Null: the viewer may not see the settings of the account. */
  | { state: 'missing'; settings: ContentSettings | null };

interface RerunNoticeProps {
  rerun: Rerun;
  /** The slug of the charged team; null for the personal account. */
  team: string | null;
}

/** Why the form does not have the whole input of the call. */
export function RerunNotice({ rerun, team }: RerunNoticeProps) {
  if (rerun.state === 'complete') return null;
  if (rerun.state === 'gaps')
    return (
      <Notice tone="warning" title="Check the input before you run it">
        Parts of the input were left out or redacted.
      </Notice>
    );
  if (rerun.state === 'hidden')
    return (
      <Notice title="The form is empty">
        Only owners and admins of the team can read the contents of other members’ calls.
      </Notice>
    );
  return (
    <Notice title="The form is empty, because the input of this call is not stored">
      {rerun.settings && (
        <WhyNotStored settings={rerun.settings} team={team} purpose="to run later calls again" />
      )}
    </Notice>
  );
}
