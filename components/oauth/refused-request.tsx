import Link from 'next/link';
import type { DescribedRequest } from '@/server/identity/oauth/schema';
import { CardPage } from '../shared/card-page';
import { buttonClass } from '../ui/button';
import { placeWords } from './place-words';

/** Nothing is sent anywhere: who asked, or where the answer would go, is not certain. */
export function RefusedRequest({ problem }: { problem: string }) {
  return (
    <CardPage title="This request does not work">
      <p className="[overflow-wrap:anywhere]">{problem}</p>
      <p className="text-muted">
        Nothing was allowed. Go back to the application and connect it again; if the same happens, remove the
        gateway there first, so that it registers anew.
      </p>
      <div>
        <Link href="/dashboard/settings" className={buttonClass()}>
          See what is connected
        </Link>
      </div>
    </CardPage>
  );
}

interface FaultyRequestProps {
  described: Extract<DescribedRequest, { kind: 'faulty' }>;
}

/** The application can be told, by whoever presses the link: anyone may register one, so nobody is sent there unasked. */
export function FaultyRequest({ described: { application, problem, return_url } }: FaultyRequestProps) {
  return (
    <CardPage title="This request cannot be allowed">
      <p className="text-muted">
        An application that calls itself{' '}
        <span className="[overflow-wrap:anywhere] font-medium text-ink">“{application.name}”</span> asked for
        access in a way that this gateway does not offer:
      </p>
      <p className="[overflow-wrap:anywhere]">{problem}</p>
      <div className="flex flex-wrap items-center gap-2">
        <a href={return_url} rel="noreferrer" className={buttonClass({ variant: 'primary' })}>
          Go back and tell it
        </a>
        <Link href="/dashboard" className={buttonClass()}>
          Go to the dashboard
        </Link>
      </div>
      <p className="[overflow-wrap:anywhere] text-muted text-sm">
        Going back leads to: {placeWords(application.place)}
      </p>
    </CardPage>
  );
}
