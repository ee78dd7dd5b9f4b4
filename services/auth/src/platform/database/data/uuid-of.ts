/** Returns an expression for the UUID that a text contains; null for any other text. */
export const uuidOf = (text: string): string =>
  `CASE WHEN ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${text}::uuid END`;
