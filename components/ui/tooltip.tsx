'use client';

import { Slot } from 'radix-ui/slot';
import { type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { positionNextTo, type Side } from './position-next-to';

interface TooltipProps {
  content: ReactNode;
  side?: Side;
  /** One focusable element that accepts a ref. */
  children: ReactNode;
}

const OPEN_MS = 350;
/** Time to move the pointer to the tooltip, which stays open while hovered. */
const CLOSE_MS = 120;

/** A hint on hover and focus. Never the only place for important information. Needs no provider. */
export function Tooltip({ content, side = 'top', children }: TooltipProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  useEffect(() => () => clearTimeout(timer.current), []);

  function turn(next: boolean, afterMs: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(next), afterMs);
  }
  function enter(event: PointerEvent) {
    // Touch has no hover: the tooltip would stay open under the finger.
    if (event.pointerType !== 'touch') turn(true, OPEN_MS);
  }
  const leave = () => turn(false, CLOSE_MS);

  return (
    <>
      <Slot
        ref={setAnchor}
        aria-describedby={open ? id : undefined}
        onPointerEnter={enter}
        onPointerLeave={leave}
        onPointerDown={() => turn(false, 0)}
        onFocus={(event) => event.target.matches(':focus-visible') && turn(true, 0)}
        onBlur={() => turn(false, 0)}
      >
        {children}
      </Slot>
      {open &&
        anchor &&
        createPortal(
          <Hint id={id} anchor={anchor} side={side} onClose={() => setOpen(false)}>
            <span onPointerEnter={enter} onPointerLeave={leave}>
              {content}
            </span>
          </Hint>,
          document.body,
        )}
    </>
  );
}

interface HintProps {
  id: string;
  anchor: HTMLElement;
  side: Side;
  onClose: () => void;
  children: ReactNode;
}

function Hint({ id, anchor, side, onClose, children }: HintProps) {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const onScroll = () => close.current();
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && close.current();
    window.addEventListener('scroll', onScroll, true);
    window.addEventListener('keydown', onKey, true);
    return () => {
      window.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('keydown', onKey, true);
    };
  }, []);
  return (
    <div
      id={id}
      role="tooltip"
      ref={(hint) => {
        if (hint) positionNextTo(hint, anchor, side);
      }}
      className="fixed z-50 w-max max-w-72 animate-fade-in rounded-md bg-ink px-2 py-1 text-ink-inverse text-xs"
    >
      {children}
    </div>
  );
}
