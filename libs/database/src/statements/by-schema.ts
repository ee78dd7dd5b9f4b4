interface Shared {
  needs: readonly string[];
  declare(schema: string): unknown;
}

const shared: Shared[] = [];

/**
 * Declares statements on tables that several services have, once for each schema.
 * @param needs tables, or columns where tables of one name differ: `outbox_events`, `idempotency_keys.digest`
 * @param declare gets the schema's name, a plain identifier that can be part of a text
 */
export function statementsBySchema<T>(
  needs: readonly string[],
  declare: (schema: string) => T,
): (schema: string) => T {
  const declared = new Map<string, T>();
  const declareOnce = (schema: string): T => {
    const known = declared.get(schema);
    if (known !== undefined) return known;
    if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new Error(`"${schema}" cannot be the name of a schema`);
    const made = declare(schema);
    declared.set(schema, made);
    return made;
  };
  shared.push({ needs, declare: declareOnce });
  return declareOnce;
}

/** Declares all statements of the loaded modules that fit the tables and columns of a schema. */
export function declareIn(schema: string, present: ReadonlySet<string>): void {
  for (const one of shared) if (one.needs.every((name) => present.has(name))) one.declare(schema);
}
