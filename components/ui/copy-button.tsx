'use client';

import { useEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from './button';
import { cn } from './cn';
import { Check, Copy } from './icons';

interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'children' | 'asChild' | 'value'> {
  /**
   * The text, or a function that reads it from the page when copying, so that it is not sent twice.
   */
  value: string | ((button: HTMLElement) => string);
  /** The accessible name: "Copy key". Visible if `text` is set. */
  label?: string;
  /** Shows the label next to the icon. */
  text?: boolean;
  onCopied?: (() => void) | undefined;
}

const SHOWN_MS = 2_000;

/** Copies, then shows and announces success. If the clipboard is blocked, it says so. */
export function CopyButton({
  value,
  label = 'Copy',
  text,
  onCopied,
  variant = 'ghost',
  size = 'sm',
  className,
  ...rest
}: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(button: HTMLElement) {
    const copied = await writeClipboard(typeof value === 'string' ? value : value(button));
    setState(copied ? 'copied' : 'failed');
    if (copied) onCopied?.();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), SHOWN_MS);
  }

  const Icon = state === 'copied' ? Check : Copy;
  return (
    <>
      <Button
        variant={variant}
        size={size}
        aria-label={text ? undefined : label}
        title={text ? undefined : label}
        className={cn(!text && 'w-8 px-0', className)}
        onClick={({ currentTarget }) => copy(currentTarget)}
        {...rest}
      >
        <Icon aria-hidden />
        {text && label}
      </Button>
      <span role="status" className="sr-only">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'Copying is blocked here. Select the text and copy it manually.'}
      </span>
    </>
  );
}

/** The clipboard API needs https or localhost; execCommand also works on plain http. */
async function writeClipboard(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    const holder = document.createElement('textarea');
    holder.value = value;
    holder.style.position = 'fixed';
    holder.style.opacity = '0';
    const focused = document.activeElement;
    (focused?.closest('[role="dialog"]') ?? document.body).append(holder);
    holder.select();
    const copied = document.execCommand('copy');
    holder.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}
