/**
 * SQL expression that identifies the server and its start: another server, and this one after a restart or failover, can
 * assign transaction ids again.
 */
export const clusterId = `(SELECT system_identifier FROM pg_control_system()) || '-' ||
                      (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint`;
