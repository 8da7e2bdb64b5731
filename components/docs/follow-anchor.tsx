'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Leads from the anchor of a row with `data-old-anchor` to the page that the row links. */
export function FollowAnchor() {
  const router = useRouter();
  useEffect(() => {
    const row = document.getElementById(location.hash.slice(1));
    const href = row?.matches('[data-old-anchor]') && row.querySelector('a')?.getAttribute('href');
    if (href) router.replace(href);
  }, [router]);
  return null;
}
