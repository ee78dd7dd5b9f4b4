-- By what names of groups are compared where a tenant wants each only once. SQL can't make it: the service does, and again when a
-- process of the release before has written another name.
ALTER TABLE "groups" ADD COLUMN "name_key" TEXT,
ADD COLUMN "name_keyed" TEXT;
