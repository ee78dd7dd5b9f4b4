-- What a stream is handed is read from its first on, however much there is.
CREATE INDEX CONCURRENTLY "deliveries_signals_idx" ON "deliveries"("receiver_id", "position") WHERE "state" = 'pending' AND "receiver_kind" = 'ssf';
