'use client';

import Link from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link that fetches its page when the pointer or the focus comes near, not as soon as it is seen: for places that every
 * page links to, most of which nobody goes to from there.
 */
export function IntentLink(props: ComponentProps<typeof Link>) {
  const [near, setNear] = useState(false);
  const approach = () => setNear(true);
  return <Link {...props} prefetch={near ? null : false} onPointerEnter={approach} onFocus={approach} />;
}
