import { useFormatter } from 'use-intl';

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in the largest unit that divides it exactly. */
export function Duration({ seconds }: { seconds: number }) {
  const format = useFormatter();
  const [unit, length] = units.find(([, size]) => seconds >= size && seconds % size === 0) ?? units[3];
  return (
    <span title={`${seconds} s`}>
      {format.number(seconds / length, { style: 'unit', unit, unitDisplay: 'long' })}
    </span>
  );
}
