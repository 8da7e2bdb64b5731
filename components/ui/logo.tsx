import { cn } from './cn';

/**
 * The logo: a gate of two posts, and what passes through it. The root layout names the operator's
 * own logo, if there is one; then the style sheet shows that.
 */
export function LogoMark({ className }: { className?: string }) {
  return (
    <span aria-hidden className={cn('brand-mark size-6', className)}>
      <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className="size-full">
        <path
          d="M6 21V9.5a6.5 6.5 0 0 1 13 0V21"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
        <path
          d="M2 14.5h10.5M9 11l3.5 3.5L9 18"
          className="stroke-accent"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </span>
  );
}

/** The gateway's name, from the style that the root layout sets: it costs no property or script. */
export function BrandName() {
  return <span className="brand-name" />;
}

/** The logo with the name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2 font-semibold text-base tracking-tight', className)}>
      <LogoMark />
      <BrandName />
    </span>
  );
}
