import type { Metadata } from 'next';

interface PublicPage {
  /** The canonical path. */
  path: string;
  /** Absolute if the title already contains the site's name. */
  title: string | { absolute: string };
  description: string;
}

/** Metadata of a public page for search engines and link previews. */
export function publicPage({ path, title, description }: PublicPage): Metadata {
  const plain = typeof title === 'string' ? title : title.absolute;
  return {
    title,
    description,
    // The root layout makes it absolute with the gateway's own base URL, never with the Host
    // header.
    alternates: { canonical: path },
    openGraph: {
      type: 'website',
      locale: 'en_GB',
      url: path,
      title: plain,
      description,
    },
    twitter: { card: 'summary', title: plain, description },
  };
}
