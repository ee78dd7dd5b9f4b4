import type { Model, Step } from './explore.ts';

/** Wrong ways of reading the feed, each of which the model must detect. */
export type Mistake =
  /** The cursor is the highest number of the page. */
  | 'cursor by number'
  /** The cursor is the newest transaction of the page. */
  | 'cursor by newest transaction'
  /** The snapshot's oldest transaction is read after the rows. */
  | 'position after the rows';

export interface Plan {
  /** Number of transactions that each append one entry to the feed. */
  writers: number;
  /** Maximum number of entries per page. */
  page: number;
  /** Maximum number of restarts of the verifier with its last cursor. */
  restarts: number;
  mistake?: Mistake;
}

interface Writer {
  /** Assigned with the first write, in the order of the first writes. */
  xid: number | null;
  /** Assigned with the insert. */
  seq: number | null;
  outcome: 'open' | 'committed' | 'rolled back';
}

interface Cursor {
  /** Transaction with which a reading begins. */
  xid: number;
  /** Within a reading of several pages: the last row read. */
  after: { xid: number; seq: number } | null;
}

interface State {
  writers: Writer[];
  nextXid: number;
  nextSeq: number;
  cursor: Cursor;
  /** Position that was read before its rows; the number of ended writers distinguishes snapshots. */
  reading: { xmin: number } | null;
  /** Rows of a page that were read before the position (a mistake). */
  rows: number[] | null;
  /** Numbers of the verifier's entries. */
  known: number[];
  /** Entries committed when the current reading began, all of which it must return. */
  owed: number[];
  /** Nothing has been committed since that reading began. */
  current: boolean;
  /** A reading that began after the last commit has ended. */
  fresh: boolean;
  /** A reading has ended without an entry that existed when it began. */
  broken: boolean;
  restarts: number;
}

const xminOf = (state: State): number =>
  Math.min(
    state.nextXid,
    ...state.writers.flatMap(({ xid, outcome }) => (xid !== null && outcome === 'open' ? [xid] : [])),
  );

const committed = (state: State): { xid: number; seq: number }[] =>
  state.writers
    .flatMap(({ xid, seq, outcome }) =>
      xid !== null && seq !== null && outcome === 'committed' ? [{ xid, seq }] : [],
    )
    .toSorted((a, b) => a.xid - b.xid || a.seq - b.seq);
function* writing(state: State): Generator<Step<State>> {
  for (const [index, writer] of state.writers.entries()) {
    const become = (change: Partial<Writer>): Writer[] => state.writers.with(index, { ...writer, ...change });
    if (writer.outcome !== 'open') continue;
    if (writer.xid === null) {
      // The writers are identical, so they begin in order.
      if (state.writers[index - 1]?.xid === null) continue;
      yield {
        name: `${index} begins`,
        next: { ...state, writers: become({ xid: state.nextXid }), nextXid: state.nextXid + 1 },
      };
    } else if (writer.seq === null) {
      yield {
        name: `${index} appends`,
        next: { ...state, writers: become({ seq: state.nextSeq }), nextSeq: state.nextSeq + 1 },
      };
    } else {
      yield {
        name: `${index} commits`,
        next: { ...state, writers: become({ outcome: 'committed' }), fresh: false, current: false },
      };
      yield {
        name: `${index} rolls back`,
        next: { ...state, writers: become({ outcome: 'rolled back' }) },
        fault: true,
      };
    }
  }
}

function* restarting(state: State): Generator<Step<State>> {
  if (state.restarts === 0) return;
  yield {
    name: 'verifier begins anew',
    next: {
      ...state,
      cursor: { xid: 0, after: null },
      reading: null,
      rows: null,
      known: [],
      owed: [],
      current: false,
      fresh: false,
      restarts: state.restarts - 1,
    },
    fault: true,
  };
}

const over = (state: State): boolean =>
  state.writers.every(({ outcome }) => outcome !== 'open') &&
  state.fresh &&
  state.reading === null &&
  state.rows === null;

/** First step of a reading, unless it continues with a further page. */
const begun = (state: State): State =>
  state.cursor.after ? state : { ...state, owed: committed(state).map(({ seq }) => seq), current: true };

/**
 * Model of the durable feed and one verifier that reads it in pages. Numbers are assigned before transactions commit,
 * and transactions commit in any order, so a reader that orders by numbers skips late commits. The cursor is the oldest
 * transaction that was running when a reading began (`revocationPage`).
 */
export const feed = (plan: Plan): Model<State> => new Feed(plan);

class Feed implements Model<State> {
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  get initial(): State {
    return {
      writers: Array.from({ length: this.#plan.writers }, () => ({
        xid: null,
        seq: null,
        outcome: 'open' as const,
      })),
      nextXid: 1,
      nextSeq: 1,
      cursor: { xid: 0, after: null },
      reading: null,
      rows: null,
      known: [],
      owed: [],
      current: false,
      fresh: false,
      broken: false,
      restarts: this.#plan.restarts,
    };
  }

  steps(state: State): Step<State>[] {
    return [...writing(state), ...this.#reading(state), ...restarting(state)];
  }

  violation(state: State): string | undefined {
    if (state.broken) return 'the list lacks what was there when it was asked for';
    if (!over(state)) return undefined;
    const missed = committed(state).filter(({ seq }) => !state.known.includes(seq));
    return missed.length > 0 ? 'the verifier never learns of a revocation' : undefined;
  }

  settled(state: State): boolean {
    return over(state);
  }

  #behind(state: State): { xid: number; seq: number }[] {
    const { xid, after } = state.cursor;
    if (this.#plan.mistake === 'cursor by number') return committed(state).filter(({ seq }) => seq > xid);
    return committed(state).filter((row) =>
      after ? row.xid > after.xid || (row.xid === after.xid && row.seq > after.seq) : row.xid >= xid,
    );
  }

  #taken(state: State, rows: readonly { xid: number; seq: number }[], xmin: number): State {
    const page = rows.slice(0, this.#plan.page);
    const last = page.at(-1);
    const more = rows.length > this.#plan.page;
    const begun = state.cursor.after ? state.cursor.xid : xmin;
    let cursor: Cursor = { xid: begun, after: more && last ? last : null };
    if (this.#plan.mistake === 'cursor by number') {
      cursor = { xid: Math.max(state.cursor.xid, ...page.map(({ seq }) => seq)), after: null };
    } else if (this.#plan.mistake === 'cursor by newest transaction') {
      cursor = { xid: Math.max(state.cursor.xid, ...page.map(({ xid }) => xid + 1)), after: null };
    }
    const known = [...new Set([...state.known, ...page.map(({ seq }) => seq)])].toSorted((a, b) => a - b);
    return {
      ...state,
      cursor,
      reading: null,
      rows: null,
      known,
      fresh: !more && state.current,
      broken: !more && state.owed.some((seq) => !known.includes(seq)),
    };
  }

  *#reading(state: State): Generator<Step<State>> {
    if (this.#plan.mistake === 'position after the rows') {
      if (state.rows !== null) {
        const rows = committed(state).filter(({ seq }) => state.rows?.includes(seq));
        yield { name: 'verifier gets a page', next: this.#taken(state, rows, xminOf(state)) };
      } else if (!state.fresh) {
        const rows = this.#behind(state).map(({ seq }) => seq);
        yield { name: 'verifier reads the rows', next: { ...begun(state), rows } };
      }
      return;
    }
    if (state.reading !== null) {
      yield {
        name: 'verifier gets a page',
        next: this.#taken(state, this.#behind(state), state.reading.xmin),
      };
    } else if (!state.fresh) {
      yield {
        name: 'verifier reads the position',
        next: { ...begun(state), reading: { xmin: xminOf(state) } },
      };
    }
  }
}
