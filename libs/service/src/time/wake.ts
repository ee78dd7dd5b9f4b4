/** Poll interval in milliseconds of jobs that are woken when work is created. It covers missed wake-ups. */
export const msWithoutWake = 60_000;

/**
 * Sleep of a loop that ends when it is woken or a timeout passes. Waking a busy loop is remembered; a wake
 * that is not urgent may be delayed to combine several. Does not keep the process running.
 */
export class Wake {
  #poked: 'no' | 'sometime' | 'now' = 'no';
  #onWake: (() => void) | undefined;

  poke(urgent = true): void {
    if (this.#poked !== 'now') this.#poked = urgent ? 'now' : 'sometime';
    this.#onWake?.();
  }

  /** Wakes when a signal is aborted. Returns a function that ends this. */
  pokeOn(signal: AbortSignal): () => void {
    const poke = (): void => this.poke();
    signal.addEventListener('abort', poke);
    return () => signal.removeEventListener('abort', poke);
  }

  /**
   * @param ms maximum sleep
   * @param notBefore earliest end of the sleep, by performance.now(), for wakes that are not urgent
   */
  async wait(ms: number, notBefore = 0): Promise<void> {
    await this.#until(performance.now() + ms, () => this.#poked !== 'no');
    if (this.#poked === 'sometime') await this.#until(notBefore, () => this.#poked === 'now');
    this.#poked = 'no';
  }

  async #until(deadline: number, holds: () => boolean): Promise<void> {
    const ms = deadline - performance.now();
    if (holds() || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#onWake = () => {
        if (!holds()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onWake = undefined;
  }
}
