-- What schema.prisma can't say: a partial index, an index on an expression, a check, a function with semicolons.
CREATE UNIQUE INDEX accounts_rich ON accounts (tenant) WHERE balance > 1000000;
CREATE INDEX accounts_lower_name ON accounts (tenant, lower(name));
ALTER TABLE accounts ADD CONSTRAINT accounts_balance_check CHECK (balance >= 0);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.data := NEW.data || '{"a;b": true}';
  RETURN NEW;
END;
$$;
CREATE TRIGGER accounts_touch BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION touch()
