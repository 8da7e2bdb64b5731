import Link from 'next/link';
import type { DescribedRequest } from '@/server/identity/oauth/schema';
import { CardPage } from '../shared/card-page';
import { buttonClass } from '../ui/button-class';
import { placeWords } from './place-words';

/** Nothing is sent to the application: its identity or redirect URL is not verified. */
export function RefusedRequest({ problem }: { problem: string }) {
  return (
    <CardPage title="Invalid authorization request">
      <p className="[overflow-wrap:anywhere]">{problem}</p>
      <p className="text-muted">
        No access was granted. Go back to the application and connect again. If it fails again, remove the
        gateway from the application first, so that it registers again.
      </p>
      <div>
        <Link href="/dashboard/settings" className={buttonClass()}>
          View connected applications
        </Link>
      </div>
    </CardPage>
  );
}

interface FaultyRequestProps {
  described: Extract<DescribedRequest, { kind: 'faulty' }>;
}

/**
 * The application gets the error only if the person follows the link: anyone can register an
 * application, so there is no automatic redirect.
 */
export function FaultyRequest({ described: { application, problem, return_url } }: FaultyRequestProps) {
  return (
    <CardPage title="This request cannot be allowed">
      <p className="text-muted">
        An application that calls itself{' '}
        <span className="[overflow-wrap:anywhere] font-medium text-ink">“{application.name}”</span> requested
        access in a way that this gateway does not support:
      </p>
      <p className="[overflow-wrap:anywhere]">{problem}</p>
      <div className="flex flex-wrap items-center gap-2">
        <a href={return_url} rel="noreferrer" className={buttonClass({ variant: 'primary' })}>
          Return to the application
        </a>
        <Link href="/dashboard" className={buttonClass()}>
          Go to dashboard
        </Link>
      </div>
      <p className="[overflow-wrap:anywhere] text-muted text-sm">
        Returns to: {placeWords(application.place)}
      </p>
    </CardPage>
  );
}
