/**
 * Lets a loop sleep until it is poked or a time has passed. A poke while it is busy is not forgotten, and one that isn't
 * urgent may be made to wait for others. It doesn't keep the process alive.
 */
export class Wake {
  #poked: 'no' | 'sometime' | 'now' = 'no';
  #onPoke: (() => void) | undefined;

  poke(urgent = true): void {
    if (this.#poked !== 'now') this.#poked = urgent ? 'now' : 'sometime';
    this.#onPoke?.();
  }

  /**
   * @param ms how long to sleep when nobody pokes
   * @param notBefore for pokes that aren't urgent: the moment, by performance.now(), until which they gather
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
      this.#onPoke = () => {
        if (!holds()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onPoke = undefined;
  }
}
