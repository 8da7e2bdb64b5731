'use client';

import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button';
import { cn } from './cn';
import { Tooltip } from './tooltip';

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'asChild' | 'aria-label'> {
  /** The accessible name, also shown as a tooltip. */
  label: string;
  /** The icon. */
  children: ReactNode;
}

/** A square button with an icon and an accessible name. */
export function IconButton({
  label,
  children,
  size = 'sm',
  variant = 'ghost',
  className,
  ...rest
}: IconButtonProps) {
  const square = size === 'lg' ? 'w-11' : size === 'md' ? 'w-9' : 'w-8';
  return (
    <Tooltip content={label}>
      <Button
        aria-label={label}
        size={size}
        variant={variant}
        className={cn('px-0', square, className)}
        {...rest}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
