export { Readiness } from './domain/readiness.ts';
export {
  brokeOff,
  createUpstreams,
  type ServiceName,
  serviceNames,
  type Upstream,
  type Upstreams,
} from './domain/upstream.ts';
