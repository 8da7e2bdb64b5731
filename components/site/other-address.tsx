'use client';

import { useSyncExternalStore } from 'react';
import { Notice } from '../ui/notice';

const never = () => () => {};

/**
 * The address at which the page was opened, if it is not the gateway's own: there every sign-in is
 * refused as another site's. Null on the server.
 */
export function useOtherAddress(gatewayUrl: string): string | null {
  const own = new URL(gatewayUrl).origin;
  const origin = useSyncExternalStore(
    never,
    () => window.location.origin,
    () => own,
  );
  return origin === own ? null : origin;
}

interface OtherAddressProps {
  opened: string;
  gatewayUrl: string;
  /** Of this page, with its query. */
  path: string;
}

/** Leads a person from another address of the gateway to its own. */
export function OtherAddress({ opened, gatewayUrl, path }: OtherAddressProps) {
  const { origin } = new URL(gatewayUrl);
  return (
    <Notice tone="warning" title="This gateway has another address">
      <p className="break-words">
        You opened it at {opened}, but people sign in at {origin}. The operator sets that address with
        BASE_URL.
      </p>
      <p className="mt-2 break-words">
        <a className="link font-medium" href={`${origin}${path}`}>
          Sign in at {origin}
        </a>
      </p>
    </Notice>
  );
}
