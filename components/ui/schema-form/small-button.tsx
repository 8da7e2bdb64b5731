import type { ReactNode } from 'react';
import { Button } from '../button';

interface SmallButtonProps {
  label: string;
  disabled?: boolean;
  onClick: (() => void) | undefined;
  children: ReactNode;
}

/** A small square icon button next to a field. */
export function SmallButton({ label, disabled, onClick, children }: SmallButtonProps) {
  return (
    <Button
      size="sm"
      variant="ghost"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
      className="w-8 px-0 text-muted"
    >
      {children}
    </Button>
  );
}
