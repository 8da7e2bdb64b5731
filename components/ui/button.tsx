import type { VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui/slot';
import type { ComponentProps } from 'react';
import { buttonClass } from './button-class';
import { cn } from './cn';
import { LoaderCircle } from './icons';
import { keepPress } from './keep-press';

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
      onPointerDown={keepPress}
      {...rest}
    >
      {busy && (
        <LoaderCircle aria-hidden className="absolute animate-spin motion-reduce:animate-pulse-soft" />
      )}
      {busy ? <span className="inline-flex items-center gap-2 opacity-0">{children}</span> : children}
    </button>
  );
}
