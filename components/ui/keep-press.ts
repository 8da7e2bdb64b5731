/**
 * Clicks a button that moved away under a press. Leaving a field may show or hide text above it;
 * the browser then clicks what contains both places instead of the button.
 */
export function keepPress({ currentTarget: button }: { currentTarget: HTMLElement }): void {
  const place = button.getBoundingClientRect();
  const leave = new AbortController();
  const options = { capture: true, signal: leave.signal };
  // Another press ends this one, if it never became a click.
  addEventListener('pointerdown', () => leave.abort(), options);
  addEventListener(
    'click',
    ({ target, clientX, clientY }) => {
      leave.abort();
      if (target === button || !(target instanceof Node) || !target.contains(button)) return;
      // Outside of this place the person moved, not the button.
      if (clientX < place.left || clientX > place.right || clientY < place.top || clientY > place.bottom)
        return;
      button.click();
    },
    options,
  );
}
