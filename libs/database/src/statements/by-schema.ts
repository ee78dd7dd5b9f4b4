interface Shared {
  needs: readonly string[];
  declare(schema: string): unknown;
}

const shared: Shared[] = [];

/**
 * Statements on tables that several services have, each in a schema of its own: declared for each schema that asks, once.
 * @param needs tables that they are of, or columns where tables of one name differ: `outbox_events`, `idempotency_keys.digest`
 * @param declare gets the schema's name, which is a plain identifier and can become part of a text
 */
export function statementsBySchema<T>(
  needs: readonly string[],
  declare: (schema: string) => T,
): (schema: string) => T {
  const declared = new Map<string, T>();
  const declareOnce = (schema: string): T => {
    const known = declared.get(schema);
    if (known !== undefined) return known;
    if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new Error(`"${schema}" can't be the name of a schema`);
    const made = declare(schema);
    declared.set(schema, made);
    return made;
  };
  shared.push({ needs, declare: declareOnce });
  return declareOnce;
}

/** Declares, of those that the loaded modules have, all that a schema with these tables and columns has a use for. */
export function declareIn(schema: string, present: ReadonlySet<string>): void {
  for (const one of shared) if (one.needs.every((name) => present.has(name))) one.declare(schema);
}
