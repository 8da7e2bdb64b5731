'use client';

import { CopyButton } from '../ui/copy-button';

/** Copies the code shown in the frame around it. */
export function CopyCode({ label, className }: { label: string; className?: string }) {
  return <CopyButton value={shownCode} label={label} className={className} />;
}

function shownCode(button: HTMLElement): string {
  return button.closest('[data-code]')?.querySelector('pre')?.textContent ?? '';
}
