/** Encodes a payload as JSON, which `decodeDates` reverses. No attribute's name begins with "$date". */
export function encodeDates(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(encodeDates);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encodeDates(member)]));
}

export function decodeDates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeDates);
  if (typeof value !== 'object' || value === null) return value;
  const { $date } = value as { $date?: unknown };
  if (typeof $date === 'string') return new Date($date);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decodeDates(member)]));
}
