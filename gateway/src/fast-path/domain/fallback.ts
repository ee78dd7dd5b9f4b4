/** A case that the planner's own execution has to decide. Says nothing about whether anything is wrong. */
export class Unplain extends Error {}
