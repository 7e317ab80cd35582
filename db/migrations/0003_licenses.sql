-- The right to seats, and who holds them.
--
-- A seat is a row; a license counter knows how many rows there are. Statement triggers move the counter with whoever
-- inserts or deletes rows, and a counter refuses to grow past its limit: no program, and no psql, can oversell.

CREATE TABLE license (
  organization_id  bigint NOT NULL REFERENCES organization,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  public_id        uuid NOT NULL,
  external_id      text,
  metadata         string_map,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  revision         bigint NOT NULL DEFAULT 1,
  product_id       bigint NOT NULL REFERENCES product,
  model            smallint NOT NULL CHECK (model IN (1, 2)),                        -- floating, named
  assignment       smallint NOT NULL DEFAULT 1 CHECK (assignment IN (1, 2)),         -- manual, by the first claim
  status           smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 3),       -- active, suspended, deleted
  lease_seconds    integer NOT NULL DEFAULT 600 CHECK (lease_seconds BETWEEN 1 AND 2592000),
  grace_seconds    integer NOT NULL DEFAULT 0 CHECK (grace_seconds >= 0),
  starts_at        timestamptz CHECK (isfinite(starts_at)),
  ends_at          timestamptz CHECK (isfinite(ends_at)),
  features         feature_map,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX license_public_id ON license (organization_id, public_id);
CREATE UNIQUE INDEX license_external_id ON license (organization_id, external_id) WHERE status < 3;
CREATE INDEX license_product ON license (product_id);
CREATE TRIGGER touch BEFORE UPDATE ON license FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER announce AFTER INSERT OR UPDATE ON license FOR EACH ROW
  EXECUTE FUNCTION announce('5', 'organization_id', 'product_id');

-- What every batch of claims locks and writes, so it is narrow, has no index on anything that changes, and leaves the
-- page room: every update is a heap-only tuple. A trigger stands for the foreign key, which would be checked at every
-- batch. Never deleted: a product's generations must not start again.
CREATE TABLE license_counter (
  organization_id  bigint NOT NULL,
  product_id       bigint NOT NULL,
  license_id       bigint NOT NULL,
  seats            integer NOT NULL CHECK (seats BETWEEN 0 AND 1000000000),
  overdraft        integer NOT NULL DEFAULT 0 CHECK (overdraft BETWEEN 0 AND 1000000000),
  in_use           integer NOT NULL DEFAULT 0 CHECK (in_use >= 0),                   -- rows in `seat`, expired ones too
  generation       bigint NOT NULL DEFAULT 0,           -- the clock of seats: one per organization and product
  revision         bigint NOT NULL DEFAULT 0,           -- that clock when the license's terms last changed
  last_at          timestamptz NOT NULL DEFAULT 'epoch',                             -- database time never goes back
  PRIMARY KEY (organization_id, product_id, license_id)
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- One identity's hold on a license; at most one per product. No foreign keys: they halve the rate of claims, and the
-- counters, which every insert moves, exist only for licenses that exist.
CREATE TABLE seat (
  organization_id  bigint NOT NULL,
  product_id       bigint NOT NULL,
  identity_id      bigint NOT NULL,
  license_id       bigint NOT NULL,
  kind             smallint NOT NULL DEFAULT 1 CHECK (kind BETWEEN 1 AND 3),         -- lease, assigned, borrowed
  overdraft        boolean NOT NULL DEFAULT false,
  generation       bigint NOT NULL,                     -- of the grant; only grows within (organization, product)
  revision         bigint NOT NULL,                     -- of the last change that is not a renewal, by the same clock
  granted_at       timestamptz NOT NULL,
  last_seen_at     timestamptz,
  expires_at       timestamptz NOT NULL,                -- infinity: assigned for good
  reclaim_at       timestamptz NOT NULL,                -- a lower bound of expires_at, and the only indexed time:
                                                        -- renewals mostly leave it alone and so stay heap-only
  PRIMARY KEY (organization_id, product_id, identity_id),
  CHECK (reclaim_at <= expires_at),
  CHECK (kind <> 2 OR expires_at = 'infinity')
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX seat_reclaim ON seat (license_id, reclaim_at);
ALTER TABLE seat ALTER COLUMN organization_id SET STATISTICS 0;

-- What became of an identity's last seat, other than by running out: why a renewal finds nothing, and until when it
-- may not claim again.
CREATE TABLE seat_loss (
  organization_id  bigint NOT NULL,
  product_id       bigint NOT NULL,
  identity_id      bigint NOT NULL,
  generation       bigint NOT NULL,
  reason           smallint NOT NULL CHECK (reason IN (1, 2)),                       -- released, drained
  at               timestamptz NOT NULL,
  blocked_until    timestamptz,
  PRIMARY KEY (organization_id, product_id, identity_id)
) WITH (fillfactor = 70);

-- Per minute in which something happened: the most seats in use at once, those at its end, and the grants in it.
CREATE TABLE usage_minute (
  organization_id  bigint NOT NULL,
  license_id       bigint NOT NULL,
  minute           timestamptz NOT NULL,
  peak             integer NOT NULL,
  final            integer NOT NULL,
  grants           integer NOT NULL,
  PRIMARY KEY (organization_id, license_id, minute)
) WITH (fillfactor = 50);

-- Refusals are counted; the first of a minute is an event too.
CREATE TABLE denial_minute (
  organization_id  bigint NOT NULL,
  product_id       bigint NOT NULL,
  license_id       bigint NOT NULL,                     -- 0: no license in particular
  minute           timestamptz NOT NULL,
  reason           text NOT NULL,
  count            integer NOT NULL,
  PRIMARY KEY (organization_id, product_id, license_id, minute, reason)
) WITH (fillfactor = 50);

-- A license as the server reads it. `held`: unexpired seats, whether or not the expired ones have been dropped.
CREATE VIEW license_state AS
  SELECT l.id, l.public_id, l.external_id, l.metadata, l.created_at, l.updated_at, l.revision, l.organization_id,
    l.product_id, p.code AS product_code, l.model, l.assignment, l.status, c.seats, c.overdraft, l.lease_seconds,
    l.grace_seconds, l.starts_at, l.ends_at, l.features, c.in_use - (
      SELECT count(*) FROM seat s
       WHERE s.license_id = c.license_id
         AND s.reclaim_at <= greatest(statement_timestamp(), c.last_at)
         AND s.expires_at <= greatest(statement_timestamp(), c.last_at)) AS held
  FROM license l
  JOIN license_counter c
    ON c.organization_id = l.organization_id AND c.product_id = l.product_id AND c.license_id = l.id
  JOIN product p ON p.id = l.product_id;

-- An unexpired seat as the server reads it. `in_force`: its license is.
CREATE VIEW seat_state AS
  SELECT s.organization_id, s.product_id, p.code AS product_code, s.identity_id, i.name AS identity_name,
    i.public_id AS identity, s.license_id, l.public_id AS license, s.kind, s.generation,
    greatest(s.revision, c.revision) AS revision, s.granted_at,
    nullif(least(s.expires_at, l.ends_at), 'infinity') AS expires_at, l.lease_seconds, l.grace_seconds, s.overdraft,
    p.features || l.features AS features, l.ends_at, n.t AS stated_at, s.last_seen_at,
    l.status = 1 AND coalesce(l.starts_at <= n.t, true) AND coalesce(l.ends_at > n.t, true) AS in_force
  FROM seat s
  JOIN license l ON l.organization_id = s.organization_id AND l.id = s.license_id
  JOIN license_counter c
    ON c.organization_id = s.organization_id AND c.product_id = s.product_id AND c.license_id = s.license_id
  JOIN product p ON p.id = s.product_id
  LEFT JOIN identity i ON i.organization_id = s.organization_id AND i.id = s.identity_id
  CROSS JOIN LATERAL (SELECT greatest(statement_timestamp(), c.last_at) AS t) n
  WHERE s.expires_at > n.t;

-- The guards.
CREATE FUNCTION seat_added() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE x record;
BEGIN
  FOR x IN SELECT a.organization_id, a.product_id, a.license_id, count(*)::integer AS count FROM added a
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LOOP
    UPDATE public.license_counter c SET in_use = c.in_use + x.count
     WHERE c.organization_id = x.organization_id AND c.product_id = x.product_id AND c.license_id = x.license_id;
    IF NOT FOUND THEN RAISE 'a seat of no license' USING ERRCODE = 'foreign_key_violation'; END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION seat_removed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE x record;
BEGIN
  FOR x IN SELECT r.organization_id, r.product_id, r.license_id, count(*)::integer AS count FROM removed r
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LOOP
    UPDATE public.license_counter c SET in_use = c.in_use - x.count
     WHERE c.organization_id = x.organization_id AND c.product_id = x.product_id AND c.license_id = x.license_id;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER seat_added AFTER INSERT ON seat REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION seat_added();
CREATE TRIGGER seat_removed AFTER DELETE ON seat REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION seat_removed();

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;
CREATE TRIGGER seat_pinned BEFORE UPDATE OF organization_id, product_id, identity_id, license_id ON seat
  FOR EACH ROW EXECUTE FUNCTION refuse('a seat cannot move between licenses or identities');
CREATE TRIGGER seat_generation BEFORE UPDATE OF generation, revision ON seat
  FOR EACH ROW WHEN (NEW.generation < OLD.generation OR NEW.revision < OLD.revision)
  EXECUTE FUNCTION refuse('a seat''s generation and revision only grow');
CREATE TRIGGER seat_truncated BEFORE TRUNCATE ON seat
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('seats are deleted, not truncated: the counters must follow');

CREATE TRIGGER license_full BEFORE UPDATE OF in_use ON license_counter
  FOR EACH ROW WHEN (NEW.in_use > OLD.in_use AND NEW.in_use > NEW.seats + NEW.overdraft)
  EXECUTE FUNCTION refuse('the license has no seat left');
CREATE TRIGGER counter_moved_by_hand BEFORE UPDATE OF in_use ON license_counter
  FOR EACH ROW WHEN (NEW.in_use <> OLD.in_use AND pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse('only seats move in_use');
CREATE TRIGGER counter_clock BEFORE UPDATE OF generation, revision, last_at ON license_counter
  FOR EACH ROW
  WHEN (NEW.generation < OLD.generation OR NEW.revision < OLD.revision OR NEW.last_at < OLD.last_at)
  EXECUTE FUNCTION refuse('a license''s generation, revision and clock only grow');
CREATE FUNCTION counter_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.in_use <> 0 THEN RAISE 'a license begins without seats in use' USING ERRCODE = 'check_violation'; END IF;
  PERFORM FROM public.license l WHERE l.organization_id = NEW.organization_id AND l.product_id = NEW.product_id
    AND l.id = NEW.license_id FOR KEY SHARE;
  IF NOT FOUND THEN RAISE 'a counter of no license' USING ERRCODE = 'foreign_key_violation'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER counter_inserted AFTER INSERT ON license_counter FOR EACH ROW EXECUTE FUNCTION counter_inserted();
CREATE TRIGGER license_deleted BEFORE DELETE ON license
  FOR EACH ROW EXECUTE FUNCTION refuse('licenses become deleted by status: their counters stay');
CREATE TRIGGER counter_deleted BEFORE DELETE ON license_counter
  FOR EACH ROW EXECUTE FUNCTION refuse('a license''s generations must not start again');
CREATE TRIGGER counter_truncated BEFORE TRUNCATE ON license_counter
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('a license''s generations must not start again');
