export {
  brokeOff,
  type ServiceName,
  serviceNames,
  type Upstream,
  type Upstreams,
} from './domain/upstream.ts';
