import type { ClientId } from '../../../clients/index.ts';

/** A client that follows the feed of one of its resources. */
export interface Followed extends ClientId {
  audience: string;
}

/** Followers of a client at this process since the previous report. */
export interface FollowerReport extends Followed {
  /** Average number of held requests and streams: a client whose requests alternate between processes counts once. */
  followers: number;
  isFollowing: boolean;
  /** Milliseconds since the slowest follower had received everything. */
  lagMs: number;
}

/** A held request or stream. */
export interface FollowerNote {
  /** Notes that there are entries that the follower has not received. */
  behind(): void;
  /** Notes that the follower has received everything. */
  caughtUp(): void;
  end(): void;
}

interface Activity {
  readonly followed: Followed;
  readonly held: Set<Held>;
  /** Sum of the times of held requests and streams since the previous report, up to `countedAt`. */
  heldMs: number;
  countedAt: number;
  beganAt: number;
  /** End of the last request that left the follower with everything. */
  answeredAt: number | undefined;
}

/** Maximum time in milliseconds between two requests of a client that follows. */
const pauseMs = 5_000;

class Held implements FollowerNote {
  readonly #clock: () => number;
  readonly #ended: (held: Held) => void;
  behindSince: number | undefined;

  constructor(clock: () => number, ended: (held: Held) => void) {
    this.#clock = clock;
    this.#ended = ended;
  }

  behind(): void {
    this.behindSince ??= this.#clock();
  }

  caughtUp(): void {
    this.behindSince = undefined;
  }

  end(): void {
    this.#ended(this);
  }
}

/** Activity of the followers of this process, in memory. */
export class FollowerActivity {
  readonly #clock: () => number;
  readonly #activities = new Map<string, Activity>();

  /** @param clock milliseconds, monotonic */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Notes a held request, which has received everything until it is noted as behind. */
  hold(followed: Followed): FollowerNote {
    const now = this.#clock();
    const activity = this.#of(followed, now);
    const held = new Held(this.#clock, (ended) => this.#end(activity, ended));
    count(activity, now);
    activity.held.add(held);
    return held;
  }

  /** Notes a response after which the follower has everything. */
  answered(followed: Followed): void {
    const now = this.#clock();
    this.#of(followed, now).answeredAt = now;
  }

  /** Returns the followers since the previous report. Without any, the list is empty. */
  report(): FollowerReport[] {
    const now = this.#clock();
    const reports: FollowerReport[] = [];
    for (const [key, activity] of this.#activities) {
      count(activity, now);
      const { answeredAt, beganAt, followed, held, heldMs } = activity;
      const lagMs = lagOf(activity, now);
      const isFollowing = held.size > 0 || (answeredAt !== undefined && lagMs <= pauseMs);
      if (!isFollowing) this.#activities.delete(key);
      const followers = now > beganAt ? heldMs / (now - beganAt) : held.size;
      if (held.size > 0 || answeredAt !== undefined)
        reports.push({ ...followed, followers, isFollowing, lagMs });
      Object.assign(activity, { heldMs: 0, beganAt: now });
    }
    return reports;
  }

  #of(followed: Followed, now: number): Activity {
    const { tenant, clientId, audience } = followed;
    const key = JSON.stringify([tenant, clientId, audience]);
    const begun = { followed, held: new Set<Held>(), heldMs: 0, countedAt: now, beganAt: now };
    const activity = this.#activities.get(key) ?? { ...begun, answeredAt: undefined };
    this.#activities.set(key, activity);
    return activity;
  }

  #end(activity: Activity, held: Held): void {
    const now = this.#clock();
    count(activity, now);
    activity.held.delete(held);
    if (held.behindSince === undefined) activity.answeredAt = now;
  }
}

/** Adds the time of the held requests up to now. The caller reads the clock once, so that no time counts twice. */
function count(activity: Activity, now: number): void {
  activity.heldMs += activity.held.size * (now - activity.countedAt);
  activity.countedAt = now;
}

function lagOf({ held, answeredAt = Number.NEGATIVE_INFINITY }: Activity, now: number): number {
  if (held.size === 0) return now - answeredAt;
  return Math.max(...[...held].map(({ behindSince }) => (behindSince === undefined ? 0 : now - behindSince)));
}
