/**
 * Holds back what an attempt may do only once its call is admitted, such as saving a file. An
 * attempt that was started early asks for its admission this way; every other one is admitted.
 */
export class AdmissionGate {
  #onAsked: (() => void) | undefined;
  #isAsked = false;
  readonly #waiting: (() => void)[] = [];
  /** Null: admitted. */
  #refusal: Error | null | undefined;

  /** Calls the listener when the attempt asks for its admission, or at once if it has. */
  onAsked(listener: () => void): void {
    this.#onAsked = listener;
    if (this.#isAsked) listener();
  }

  /**
   * Asks for the admission and waits for it.
   * @throws the reason of the refusal
   */
  async pass(): Promise<void> {
    if (this.#refusal === undefined) {
      this.#isAsked = true;
      this.#onAsked?.();
      await new Promise<void>((decide) => this.#waiting.push(decide));
    }
    if (this.#refusal) throw this.#refusal;
  }

  admit(): void {
    this.#decide(null);
  }

  refuse(reason: Error): void {
    this.#decide(reason);
  }

  #decide(refusal: Error | null): void {
    if (this.#refusal !== undefined) return;
    this.#refusal = refusal;
    for (const decide of this.#waiting.splice(0)) decide();
  }
}
