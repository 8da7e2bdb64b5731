import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { CSSProperties, ReactNode } from 'react';
import { THEME_SCRIPT } from '@/components/ui/theme';
import { readZone, ZONE_COOKIE } from '@/components/ui/time-format';
import { TimeProvider } from '@/components/ui/time-provider';
import { getRuntime } from '@/server/core/runtime';
import type { BrandSettings } from '@/server/platform/settings/brand-settings';
import { fontClass } from './fonts';
import './globals.css';

/** A function, because absolute URLs use the base URL of the running gateway. */
export async function generateMetadata(): Promise<Metadata> {
  await headers();
  const { baseUrl, brand } = getRuntime().settings;
  const title = { default: brand.name, template: `%s · ${brand.name}` };
  return { metadataBase: new URL(baseUrl), title, ...METADATA };
}

const METADATA: Metadata = {
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
  const zone = readZone((await cookies()).get(ZONE_COOKIE)?.value);
  const { brand } = getRuntime().settings;
  return (
    // The theme script may set data-theme before React hydrates the element.
    <html
      lang="en"
      className={fontClass}
      suppressHydrationWarning
      style={brandStyle(brand)}
      data-brand-logo={brand.logo?.version}
    >
      <head>
        <meta property="og:site_name" content={brand.name} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, run before the first paint */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body className="min-h-dvh font-sans antialiased">
        <TimeProvider zone={zone}>{children}</TimeProvider>
      </body>
    </html>
  );
}

/** The brand as style variables, which the logo on every page reads. */
function brandStyle({ name, logo }: BrandSettings): CSSProperties {
  const style: Record<`--${string}`, string> = { '--brand-name': JSON.stringify(name) };
  if (logo) style['--brand-logo'] = `url(/brand/logo?v=${logo.version})`;
  return style;
}
