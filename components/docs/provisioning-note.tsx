import { IntentLink } from '../ui/intent-link';
import { Notice } from '../ui/notice';

/** Corrects the guides where the gateway issues no keys without sign-up. */
export function ProvisioningNote() {
  return (
    <Notice tone="warning" title="This gateway issues no keys without sign-up">
      Where a guide provisions a key, use one that you create under{' '}
      <IntentLink href="/dashboard/keys" className="link">
        Keys
      </IntentLink>
      .
    </Notice>
  );
}
