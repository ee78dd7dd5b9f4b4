export { FastPathOverHttp } from './fast-path-over-http.ts';
export { OperationCache } from './operation-cache.ts';
export { PlanCache } from './plan-cache.ts';
export type { PlanNode } from './plan-steps.ts';
