import { IntentLink } from '../ui/intent-link';
import { Logo } from '../ui/logo';

const LINKS = [
  { href: '/tools', label: 'Catalogue' },
  { href: '/pricing', label: 'Pricing' },
  { href: '/compare', label: 'Compare' },
  { href: '/docs', label: 'Docs' },
  { href: '/docs/api', label: 'API reference' },
  { href: '/llms.txt', label: 'llms.txt', plain: true },
  { href: '/openapi.json', label: 'OpenAPI 3.1', plain: true },
  { href: '/status', label: 'Status' },
  { href: '/sign-in', label: 'Sign in' },
];

export function SiteFooter() {
  return (
    <footer className="mt-24 border-t">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-8 text-sm sm:px-6">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Logo />
          <p className="text-muted">Open source, MIT. Runs on your own machine.</p>
        </div>
        <nav aria-label="Footer">
          <ul className="flex flex-wrap gap-x-6 gap-y-2">
            {LINKS.map(({ href, label, plain }) => (
              <li key={href}>
                {plain ? (
                  <a href={href} className="text-muted hover:text-ink">
                    {label}
                  </a>
                ) : (
                  <IntentLink href={href} className="text-muted hover:text-ink">
                    {label}
                  </IntentLink>
                )}
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
