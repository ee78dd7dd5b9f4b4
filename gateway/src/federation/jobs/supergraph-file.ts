import { readFile } from 'node:fs/promises';
import { NotReady, type ServiceKit } from '@ostiary/service';

export interface SupergraphFileOptions {
  path: string;
  /** Seconds between looks at the file. By content, because mounted ConfigMaps are swapped by symbolic links. */
  everySeconds: number;
  kit: Pick<ServiceKit, 'log' | 'health'>;
  /** @throws when what was read can't be served */
  load: (supergraphSdl: string) => Promise<void>;
}

/** Looks at the supergraph's file from time to time, and at once when asked, and has it loaded when it changed. */
export class SupergraphFile {
  readonly #options: SupergraphFileOptions;
  #seen: string;
  #problem: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  /** @param seen what was loaded from it already */
  constructor(options: SupergraphFileOptions, seen: string) {
    this.#options = options;
    this.#seen = seen;
    // Not required: the graph goes on with the one before.
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

  /** Never rejects: what is wrong with the file is logged, and shows in /readyz until it is mended. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { path, load, kit } = this.#options;
    try {
      const sdl = await readFile(path, 'utf8');
      // A bad one is not tried again before it changes.
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
