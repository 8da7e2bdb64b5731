import Link from 'next/link';
import { Fragment } from 'react';
import type { ApiErrors } from '@/server/docs/schema';

/** The rows of a `status-list` with the codes of each status, which lead to their explanation. */
export function ApiErrorRows({ errors }: { errors: readonly ApiErrors[] }) {
  return errors.map(({ status, codes }) => (
    <Fragment key={status}>
      <dt>{status}</dt>
      <dd>
        {codes.map((code, at) => (
          <Fragment key={code}>
            {at > 0 && ', '}
            <Link href={`/docs/errors#${code}`} prefetch={false}>
              {code}
            </Link>
          </Fragment>
        ))}
      </dd>
    </Fragment>
  ));
}

/** The errors that every operation of a group has, once for all of them. */
export function SharedErrors({ errors }: { errors: readonly ApiErrors[] }) {
  if (errors.length === 0) return null;
  return (
    <section aria-labelledby="shared-errors" className="flex flex-col gap-2">
      <h2 id="shared-errors" className="scroll-mt-20 text-lg">
        Errors of every route here
      </h2>
      <dl className="status-list">
        <ApiErrorRows errors={errors} />
      </dl>
    </section>
  );
}
