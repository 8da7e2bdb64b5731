'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from './button';
import { cn } from './cn';

interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'children' | 'asChild' | 'value'> {
  /** The text, or where to read it at the moment of copying: what is on the page need not be sent twice. */
  value: string | ((button: HTMLElement) => string);
  /** What is copied: "Copy key". The name of the button; shown where `text` is set. */
  label?: string;
  /** Show the label beside the icon. */
  text?: boolean;
  onCopied?: () => void;
}

const SHOWN_MS = 2_000;

/** Copies, shows it and says it. Where the clipboard is closed to us it selects nothing and says so. */
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
        {state === 'failed' && 'Copying is blocked here. Select the text and copy it yourself.'}
      </span>
    </>
  );
}

/** The clipboard API exists only on https and localhost; the old command still works on a plain http address. */
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
