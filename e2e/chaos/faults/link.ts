import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The end of a link: a process and its port. */
export interface Target {
  name: string;
  port: number;
}

type State = 'open' | 'cut';

/** Condition under which a trap triggers, and whether the bytes that complete it are forwarded. */
export interface Trap {
  /** Strings that must pass on one connection, in this order. */
  pattern: readonly string[];
  direction: 'asked' | 'answered';
  /** true: the bytes are forwarded, and only the answer is withheld. */
  arrives: boolean;
  /** PostgreSQL's answers pass while a transaction is open; the answer that reports the commit is withheld. */
  committed?: boolean | undefined;
  snap(): void;
}

interface Passage {
  from: Socket;
  to: Socket | undefined;
  target: Target;
  /** Set by a trap: nothing is forwarded. */
  dead: boolean;
  /** The trap that triggers with the next answer. */
  primed: Trap | undefined;
  /** Number of strings of the pattern that have passed. */
  seen: number;
  /** Delayed bytes. */
  onTheWay: Record<Trap['direction'], { chain: Promise<void>; count: number }>;
}

/**
 * A TCP proxy between one process and the database or service that it calls, whose instances take turns as behind a
 * load balancer. Each pair can be cut (packets are lost, connections are not refused), restored and delayed. Traps
 * trigger at an exact moment of a conversation.
 */
export class Link {
  readonly from: string;
  readonly to: string;
  readonly #targets: () => readonly Target[];
  readonly #isUp: (name: string) => boolean;
  readonly #server: Server;
  readonly #passages = new Set<Passage>();
  readonly #states = new Map<string, State>();
  readonly #waiting = new Set<Socket>();
  #delayMs = 0;
  #turn = 0;
  #trap: Trap | undefined;

  constructor(o: {
    from: string;
    to: string;
    /** Possible targets; called for each connection. */
    targets: () => readonly Target[];
    /** Whether a load balancer would choose the target now. */
    isUp?: (name: string) => boolean;
  }) {
    this.from = o.from;
    this.to = o.to;
    this.#targets = o.targets;
    this.#isUp = o.isUp ?? (() => true);
    this.#server = createServer({ noDelay: true, allowHalfOpen: false }, (socket) => this.#accept(socket));
  }

  /** Listens on loopback; returns the port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops forwarding in both directions. */
  cut(target: string): void {
    this.#states.set(target, 'cut');
    for (const passage of this.#passages) if (passage.target.name === target) hold(passage);
  }

  /** @param forget whether existing connections are closed instead of resumed */
  mend(target: string, forget: boolean): void {
    this.#states.set(target, 'open');
    for (const passage of this.#passages) {
      if (passage.target.name !== target) continue;
      if (forget) end(passage);
      else release(passage);
    }
    for (const socket of this.#waiting) socket.destroy();
    this.#waiting.clear();
  }

  /** Delays everything by `ms` milliseconds in each direction. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /**
   * Sets or removes the trap, which triggers once. Connections that a trap stopped are closed, so that their process
   * connects again.
   */
  trap(trap: Trap | undefined): void {
    this.#trap = trap;
    for (const passage of this.#passages) {
      passage.seen = 0;
      passage.primed = undefined;
      if (passage.dead) end(passage);
    }
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const target = this.#choose(new Set());
    if (target === undefined) return void socket.destroy();
    if (this.#states.get(target.name) === 'cut') {
      // Like a lost SYN: neither refused nor accepted.
      this.#waiting.add(socket);
      socket.on('close', () => this.#waiting.delete(socket));
      return;
    }
    this.#connect(socket, target, new Set([target.name]));
  }

  #choose(tried: ReadonlySet<string>): Target | undefined {
    const all = this.#targets().filter(({ name }) => !tried.has(name));
    const healthy = all.filter(({ name }) => this.#isUp(name));
    const choice = healthy.length > 0 ? healthy : all;
    this.#turn += 1;
    return choice[this.#turn % Math.max(1, choice.length)];
  }

  #connect(from: Socket, target: Target, tried: Set<string>): void {
    const to = connect({ host: '127.0.0.1', port: target.port, noDelay: true });
    to.once('error', () => {
      const other = this.#choose(tried);
      if (other === undefined || this.#states.get(other.name) === 'cut') return void from.destroy();
      this.#connect(from, other, tried.add(other.name));
    });
    to.once('connect', () => {
      to.removeAllListeners('error');
      const onTheWay = {
        asked: { chain: Promise.resolve(), count: 0 },
        answered: { chain: Promise.resolve(), count: 0 },
      };
      this.#join({ from, to, target, dead: false, primed: undefined, seen: 0, onTheWay });
    });
  }

  #join(passage: Passage): void {
    const { from, to } = passage;
    if (to === undefined) return;
    this.#passages.add(passage);
    const over = () => {
      this.#passages.delete(passage);
      end(passage);
    };
    for (const socket of [from, to]) {
      socket.on('error', over);
      socket.on('close', over);
    }
    from.on('data', (bytes: Buffer) => this.#pass(passage, to, bytes, 'asked'));
    to.on('data', (bytes: Buffer) => this.#pass(passage, from, bytes, 'answered'));
    if (this.#states.get(passage.target.name) === 'cut') hold(passage);
  }

  #pass(passage: Passage, onto: Socket, bytes: Buffer, direction: Trap['direction']): void {
    if (passage.dead) return;
    if (this.#sprung(passage, bytes, direction)) return;
    const way = passage.onTheWay[direction];
    if (this.#delayMs > 0 || way.count > 0) {
      const due = performance.now() + this.#delayMs;
      way.count += 1;
      way.chain = way.chain.then(async () => {
        await sleep(Math.max(0, due - performance.now()));
        way.count -= 1;
        if (!onto.destroyed) onto.write(bytes);
      });
      return;
    }
    const source = onto === passage.to ? passage.from : passage.to;
    if (onto.write(bytes)) return;
    source?.pause();
    onto.once('drain', () => {
      if (this.#states.get(passage.target.name) !== 'cut') source?.resume();
    });
  }

  #sprung(passage: Passage, bytes: Buffer, direction: Trap['direction']): boolean {
    if (passage.primed !== undefined && direction === 'answered') {
      if (passage.primed.committed && !bytes.subarray(-readyForQuery.length).equals(readyForQuery))
        return false;
      this.#isolate();
      passage.primed.snap();
      return true;
    }
    const trap = this.#trap;
    if (trap === undefined || trap.direction !== direction) return false;
    while (passage.seen < trap.pattern.length && bytes.includes(trap.pattern[passage.seen] ?? ''))
      passage.seen += 1;
    if (passage.seen < trap.pattern.length) return false;
    this.#trap = undefined;
    if (trap.arrives && direction === 'asked') {
      passage.primed = trap;
      return false;
    }
    if (!trap.arrives) this.#isolate();
    trap.snap();
    return !trap.arrives;
  }

  /** Stops all connections, because the signal reaches the process later. */
  #isolate(): void {
    for (const passage of this.#passages) passage.dead = true;
  }
}

/** End of a PostgreSQL answer outside a transaction. */
const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1');

function hold({ from, to }: Passage): void {
  from.pause();
  to?.pause();
}

function release({ from, to }: Passage): void {
  from.resume();
  to?.resume();
}

function end({ from, to }: Passage): void {
  from.destroy();
  to?.destroy();
}
