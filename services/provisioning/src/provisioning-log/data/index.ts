export {
  liveEvents,
  provisioningLog,
  provisioningLogQueries,
  pruneLogByAge,
  pruneLogByCount,
  tenantsWithLog,
} from './log.ts';
