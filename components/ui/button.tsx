import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui/slot';
import type { ComponentProps } from 'react';
import { cn } from './cn';
import { LoaderCircle } from './icons';

/** The button style for links: `<Link className={buttonClass({ variant })}>`. */
export const buttonClass = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border font-medium transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-50 aria-busy:cursor-progress [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-ink text-ink-inverse hover:bg-ink/88',
        secondary: 'border-line-strong/50 bg-surface text-ink hover:border-line-strong hover:bg-hover',
        ghost: 'border-transparent text-ink hover:bg-hover',
        danger: 'border-transparent bg-danger-solid text-white hover:bg-danger-solid/88',
      },
      size: {
        sm: 'h-8 px-3 text-sm',
        md: 'h-9 px-4 text-sm',
        lg: 'h-11 px-5 text-base',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonClass> {
  /** Shows a spinner, sets aria-busy and ignores presses, but keeps the width and the focus. */
  busy?: boolean | undefined;
  /** Styles the only child instead (a link). Cannot be combined with `busy`. */
  asChild?: boolean;
}

export function Button({
  variant,
  size,
  busy,
  asChild,
  className,
  children,
  onClick,
  type,
  ...rest
}: ButtonProps) {
  const classes = cn(buttonClass({ variant, size }), className);
  if (asChild)
    return (
      <Slot className={classes} onClick={onClick} {...rest}>
        {children}
      </Slot>
    );
  return (
    <button
      type={busy ? 'button' : (type ?? 'button')}
      className={cn(classes, busy && 'relative')}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
      {...rest}
    >
      {busy && (
        <LoaderCircle aria-hidden className="absolute animate-spin motion-reduce:animate-pulse-soft" />
      )}
      {busy ? <span className="inline-flex items-center gap-2 opacity-0">{children}</span> : children}
    </button>
  );
}
