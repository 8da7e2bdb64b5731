/**
 * Lets the elements of a batch that run before their admission share a commit: each waits until the
 * others have ended, or have to be admitted.
 */
export class CommitBarrier {
  /** Elements that have not begun to run first. */
  left: number;
  #running = 0;
  #release: (() => void)[] = [];

  /** @param elements of the batch */
  constructor(elements: number) {
    this.left = elements;
  }

  enter(): void {
    this.left--;
    this.#running++;
  }

  /** Resolves once every element that entered has left. */
  leave(): Promise<void> {
    this.#running--;
    return new Promise((resolve) => {
      this.#release.push(resolve);
      if (this.#running > 0) return;
      for (const release of this.#release) release();
      this.#release = [];
    });
  }
}
