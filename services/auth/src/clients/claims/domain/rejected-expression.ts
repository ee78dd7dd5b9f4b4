/** An expression that parses, and must not be stored for this reason. */
export class RejectedExpression extends Error {}
