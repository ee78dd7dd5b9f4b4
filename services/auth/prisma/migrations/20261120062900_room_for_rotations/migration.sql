-- Every refresh updates its family, and no index: with room left on the page, PostgreSQL keeps the new version beside the old.
ALTER TABLE "refresh_families" SET (fillfactor = 70);
