import type { Metadata } from 'next';

interface PublicPage {
  /** Its one address, from the root. */
  path: string;
  /** Absolute where the site's name is in it already. */
  title: string | { absolute: string };
  description: string;
}

/** What search engines and previews of links are told about a page that everyone may read. */
export function publicPage({ path, title, description }: PublicPage): Metadata {
  const plain = typeof title === 'string' ? title : title.absolute;
  return {
    title,
    description,
    // Made absolute with the gateway's own address by the root layout, never with the Host header.
    alternates: { canonical: path },
    openGraph: {
      type: 'website',
      siteName: 'Tool Gateway',
      locale: 'en_GB',
      url: path,
      title: plain,
      description,
    },
    twitter: { card: 'summary', title: plain, description },
  };
}
