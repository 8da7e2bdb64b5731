import { buttonClass } from '../ui/button-class';
import { IntentLink } from '../ui/intent-link';
import { Logo } from '../ui/logo';
import { ThemeToggle } from '../ui/theme-toggle';
import { SITE_LINKS } from './nav-links';
import { PhoneMenu } from './phone-menu';
import { SiteLink } from './site-link';

/** The header of every public page. */
export function SiteHeader({ signedIn }: { signedIn: boolean }) {
  const account = signedIn
    ? { href: '/dashboard', label: 'Dashboard' }
    : { href: '/sign-in', label: 'Sign in' };
  return (
    <header className="sticky top-0 z-30 border-b bg-bg/90 backdrop-blur-sm">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-ink focus:px-3 focus:py-2 focus:text-ink-inverse focus:text-sm"
      >
        Skip to content
      </a>
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-8 px-4 sm:px-6">
        <IntentLink href="/" className="flex rounded-sm">
          <Logo />
          <span className="sr-only">, home</span>
        </IntentLink>
        <nav aria-label="Main" className="hidden gap-6 sm:flex">
          {SITE_LINKS.map((link) => (
            <SiteLink key={link.href} {...link} />
          ))}
        </nav>
        <div className="ml-auto hidden items-center gap-3 sm:flex">
          <ThemeToggle />
          <IntentLink href={account.href} className={buttonClass({ size: 'sm' })}>
            {account.label}
          </IntentLink>
        </div>
        <PhoneMenu account={account} />
      </div>
    </header>
  );
}
