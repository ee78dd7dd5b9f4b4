/** Lets a loop sleep until it is poked or a time has passed. A poke while it is busy is not forgotten. */
export class Wake {
  #poked = false;
  #resolve: (() => void) | undefined;

  poke(): void {
    this.#poked = true;
    this.#resolve?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#poked) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#resolve = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#resolve = undefined;
    }
    this.#poked = false;
  }
}
