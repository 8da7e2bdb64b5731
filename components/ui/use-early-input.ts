'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps input typed before hydration, which React's next render would overwrite.
 * @param value the field's text in state
 * @param onTyped called once if the field holds different text
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
