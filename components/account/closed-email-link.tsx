import type { EmailChangePreview } from '@/server/identity/email-change/schema';
import { CardPage } from '../shared/card-page';
import { buttonClass } from '../ui/button-class';
import { cn } from '../ui/cn';

type State = Exclude<EmailChangePreview['state'], 'open'>;

const CONFIRM: Record<State, string> = {
  confirmed: 'The new address was confirmed already. Sign in with it.',
  ended:
    'The change was stopped, replaced by a newer request, or the browser that requested it was signed out. Request it again in the settings.',
  expired: 'It has expired. Request the change again in the settings.',
  unknown: 'It may be incomplete: copy the full URL from the email.',
};

const UNDO: Record<State, string> = {
  ...CONFIRM,
  ended: 'It was used already, or replaced by the link of a newer email.',
  expired: 'It has expired. If you did not make the change, ask the operator of this gateway.',
};

/** What a link of an email change shows that does nothing any more. */
export function ClosedEmailLink({ link, state }: { link: 'confirm' | 'undo'; state: State }) {
  return (
    <CardPage title="This link does not work">
      <p className="text-muted">{(link === 'undo' ? UNDO : CONFIRM)[state]}</p>
      <a href="/dashboard/settings" className={cn(buttonClass(), 'self-start')}>
        Open settings
      </a>
    </CardPage>
  );
}
