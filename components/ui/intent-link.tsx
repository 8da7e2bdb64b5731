'use client';

import Link from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link that prefetches on hover or focus instead of when visible: for links on every page that
 * few people follow.
 */
export function IntentLink(props: ComponentProps<typeof Link>) {
  const [near, setNear] = useState(false);
  const approach = () => setNear(true);
  return <Link {...props} prefetch={near ? null : false} onPointerEnter={approach} onFocus={approach} />;
}
