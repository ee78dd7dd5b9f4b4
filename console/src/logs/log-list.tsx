import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Badge, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { LogEntry } from './entry.ts';
import { useNames } from './names.ts';
import './logs.css';

/** Row heights in pixels, as in the style sheet. */
const rowHeights = { wide: 36, narrow: 80 } as const;
const narrow = '(max-width: 48rem)';
/** Height of the area below the last row, in pixels. */
const footHeight = 56;
/** Number of rows rendered outside the visible area, so that scrolling shows no gaps. */
const spare = 8;
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 };

/**
 * Virtual list of any number of entries. Rows have a fixed height and are not measured, so a thousand can be added per
 * second. Rows added at the top do not move the visible ones.
 */
export function LogList({
  label,
  entries,
  onOpen,
  onMore,
  footer,
}: {
  label: string;
  entries: readonly LogEntry[];
  onOpen(key: string): void;
  onMore?: (() => void) | undefined;
  footer?: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const { from, to, onScroll } = useVisible(box, entries.length, rowHeight);
  useSteadyScroll(box, entries, rowHeight);
  const [focused, setFocused] = useState<string>();
  const focusedAt = Math.max(
    entries.findIndex(({ key }) => key === focused),
    0,
  );
  const seen = entries.slice(from, to);
  const names = useNames(seen);
  const onStep = (from: number, step: number) => {
    const at = Math.min(Math.max(from + step, 0), entries.length - 1);
    setFocused(entries[at]?.key);
    focusRow(box.current, at, rowHeight);
  };
  return (
    <div
      className="log-box"
      ref={box}
      style={{ height: `min(70vh, ${entries.length * rowHeight + footHeight}px)` }}
      onScroll={(event) => {
        onScroll();
        const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
        if (scrollHeight - scrollTop - clientHeight < 10 * rowHeight) onMore?.();
      }}
    >
      <ul className="log-list" aria-label={label} style={{ height: entries.length * rowHeight }}>
        {seen.map((entry, offset) => (
          <Row
            key={entry.key}
            entry={entry}
            names={names}
            index={from + offset}
            count={entries.length}
            top={(from + offset) * rowHeight}
            isFocusable={from + offset === Math.min(Math.max(focusedAt, from), to - 1)}
            onOpen={onOpen}
            onFocus={setFocused}
            onStep={onStep}
          />
        ))}
      </ul>
      {footer}
    </div>
  );
}

function Row({
  entry,
  names,
  index,
  count,
  top,
  isFocusable,
  onOpen,
  onFocus,
  onStep,
}: {
  entry: LogEntry;
  names: ReadonlyMap<string, string | undefined>;
  index: number;
  count: number;
  top: number;
  isFocusable: boolean;
  onOpen(key: string): void;
  onFocus(key: string): void;
  onStep(from: number, step: number): void;
}) {
  const t = useTranslations('logs');
  const { action, actor, at, key, log, resourceId, resourceName, resourceType, status } = entry;
  const name = resourceName ?? (resourceId === null ? undefined : names.get(resourceId));
  return (
    <li aria-setsize={count} aria-posinset={index + 1} style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        className="log-row"
        data-row={index}
        tabIndex={isFocusable ? 0 : -1}
        onClick={() => onOpen(key)}
        onFocus={() => onFocus(key)}
        onKeyDown={(event) => {
          const step = steps[event.key];
          if (step === undefined) return;
          event.preventDefault();
          onStep(index, step);
        }}
      >
        <span className="log-time">
          <Time at={at} seconds />
        </span>
        <span className="log-action mono">
          {action}{' '}
          {status !== null && (
            <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{status}</Badge>
          )}
        </span>
        <span className="log-about">{name ?? `${resourceType ?? ''} ${resourceId ?? ''}`}</span>
        <span className="log-actor soft">
          {actor.name ?? names.get(actor.id) ?? t(`actors.${actor.kind}`)}
        </span>
        <span className="log-name soft">{t(`names.${log}`)}</span>
      </button>
    </li>
  );
}

function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches);
  useLayoutEffect(() => {
    const query = matchMedia(narrow);
    const onChange = () => setNarrow(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isNarrow ? rowHeights.narrow : rowHeights.wide;
}

function useVisible(box: React.RefObject<HTMLDivElement | null>, count: number, rowHeight: number) {
  const [top, setTop] = useState(0);
  const height = box.current?.clientHeight ?? 800;
  // State changes only with the first row: a scroll fires many events.
  const first = Math.floor(top / rowHeight);
  const from = Math.max(first - spare, 0);
  const to = Math.min(first + Math.ceil(height / rowHeight) + spare, count);
  const onScroll = () => {
    const next = box.current?.scrollTop ?? 0;
    setTop((before) => (Math.floor(before / rowHeight) === Math.floor(next / rowHeight) ? before : next));
  };
  return { from, to, onScroll };
}

/** Keeps the visible rows in place while rows are added above them. */
function useSteadyScroll(
  box: React.RefObject<HTMLDivElement | null>,
  entries: readonly LogEntry[],
  rowHeight: number,
): void {
  const before = useRef<readonly LogEntry[]>(entries);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = entries;
    const element = box.current;
    if (!element || old === entries || old.length === 0 || element.scrollTop < rowHeight) return;
    const at = Math.floor(element.scrollTop / rowHeight);
    const { key } = old[Math.min(at, old.length - 1)] ?? {};
    const now = entries.findIndex((entry) => entry.key === key);
    if (now > at) element.scrollTop += (now - at) * rowHeight;
  }, [box, entries, rowHeight]);
}

/** A row that is not rendered cannot be focused: it is scrolled into view first. */
function focusRow(box: HTMLDivElement | null, index: number, rowHeight: number): void {
  if (!box) return;
  const top = index * rowHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + rowHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top + rowHeight - box.clientHeight;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => box.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus()),
  );
}
