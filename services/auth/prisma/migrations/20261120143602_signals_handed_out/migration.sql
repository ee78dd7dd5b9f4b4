-- What it was handed a moment ago, without reading what waits behind it.
CREATE INDEX CONCURRENTLY "deliveries_handed_out_idx" ON "deliveries"("receiver_id", "leased_until") WHERE "state" = 'pending' AND "receiver_kind" = 'ssf' AND "leased_until" IS NOT NULL;
