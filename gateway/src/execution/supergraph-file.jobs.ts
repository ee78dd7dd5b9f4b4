import { readFile } from 'node:fs/promises';
import { NotReady, type ServiceKit } from '@ostiary/service';

export interface SupergraphFileOptions {
  path: string;
  /**
   * Interval in seconds between reads. The content is compared, because mounted ConfigMaps are swapped by symbolic
   * links.
   */
  everySeconds: number;
  kit: ServiceKit;
  /** @throws when the supergraph cannot be served */
  load: (supergraphSdl: string) => Promise<void>;
}

/** Reads the supergraph's file at an interval and on request, and loads it when it has changed. */
export class SupergraphFile {
  readonly #options: SupergraphFileOptions;
  #seen: string;
  #problem: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  /** @param seen the content that is loaded already */
  constructor(options: SupergraphFileOptions, seen: string) {
    this.#options = options;
    this.#seen = seen;
    // Not required: the previous supergraph stays in use.
    options.kit.health.check(
      'supergraph-file',
      async () => {
        if (this.#problem) throw new NotReady('failing', this.#problem);
      },
      { required: false, impairs: 'The previous supergraph stays in use because the new one was rejected.' },
    );
  }

  start(): void {
    const { everySeconds } = this.#options;
    this.#timer = setInterval(() => void this.look(), everySeconds * 1_000).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Never rejects. An error is logged, and reported in /readyz until the file is valid. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { path, load, kit } = this.#options;
    try {
      const sdl = await readFile(path, 'utf8');
      // A rejected supergraph is tried again only after a change.
      if (sdl === this.#seen) return;
      this.#seen = sdl;
      this.#problem = undefined;
      await load(sdl);
    } catch (error) {
      const unread = (error as NodeJS.ErrnoException).code !== undefined;
      if (unread && !this.#problem)
        kit.log.error({ event: 'supergraph.unreadable', err: error }, 'Supergraph file could not be read');
      this.#problem = error as Error;
    }
  }
}
