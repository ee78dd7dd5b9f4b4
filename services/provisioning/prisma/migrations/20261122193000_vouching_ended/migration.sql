-- Since when a connector no longer stands for e-mail addresses, until the directory has forgotten that it did.
ALTER TABLE "connectors" ADD COLUMN "vouching_ended_at" TIMESTAMPTZ(3);
