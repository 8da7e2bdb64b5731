'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps what was typed into a field before hydration: React would put its own text back with the
 * next render.
 * @param value the text of the field by its state
 * @param onTyped called once where the field shows another text
 * @returns the ref of the field
 */
export function useEarlyInput(
  value: string,
  onTyped: (text: string) => void,
): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const hydrated = useRef(false);
  useEffect(() => {
    if (hydrated.current) return;
    hydrated.current = true;
    if (field.current && field.current.value !== value) onTyped(field.current.value);
  });
  return field;
}
