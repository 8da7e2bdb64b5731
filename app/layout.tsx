import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { THEME_SCRIPT } from '@/components/ui/theme';
import { getRuntime } from '@/server/core/runtime';
import './globals.css';

/** A function, because absolute URLs use the base URL of the running gateway. */
export async function generateMetadata(): Promise<Metadata> {
  await headers();
  return { metadataBase: new URL(getRuntime().settings.baseUrl), ...METADATA };
}

const METADATA: Metadata = {
  title: { default: 'Tool Gateway', template: '%s · Tool Gateway' },
  description:
    'One API key for many tools. Agents find tools, call them and pay per use from prepaid credit.',
  robots: { index: true, follow: true },
};

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f9fafb' },
    { media: '(prefers-color-scheme: dark)', color: '#0d0f12' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading the header also makes every page dynamic: a prerendered page cannot have a nonce.
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    // The theme script may set data-theme before React hydrates the element.
    <html lang="en" suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, run before the first paint */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body className="min-h-dvh font-sans antialiased">{children}</body>
    </html>
  );
}
