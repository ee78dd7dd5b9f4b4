import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'warn';

/** A message that stays on the page. */
export const Note = ({
  tone,
  action,
  children,
}: {
  tone?: Tone;
  action?: ReactNode;
  children: ReactNode;
}) => (
  <div className="note" {...(tone ? { 'data-tone': tone } : {})} role={tone === 'bad' ? 'alert' : 'status'}>
    <div className="note-body">
      <div>{children}</div>
      {action}
    </div>
  </div>
);

export const Badge = ({ tone, children }: { tone?: Tone | undefined; children: ReactNode }) => (
  <span className="badge" {...(tone ? { 'data-tone': tone } : {})}>
    {children}
  </span>
);

/** Explains an empty list and how to fill it. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <strong>{title}</strong>
    {children !== undefined && <div>{children}</div>}
  </div>
);
