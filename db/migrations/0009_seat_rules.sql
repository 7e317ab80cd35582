-- Seats beyond first come, first served: reservations, loans, an overdraft that ends, cool-downs, what a request demands
-- of a license, configuration, and usage that is exact to the minute.
--
-- To the rules of `seat_allocator` come two:
-- · Whatever a seat's coming and going moves (the counter, the minute's usage) is moved by triggers on `seat`, so that
--   every way to take or give one is counted alike. They go by `last_at`, which the lock sets.
-- · There is one way to take a seat: `seat_grant`. Claims, loans and assignments differ in what they pass to it.

DROP VIEW license_state, seat_state;
DROP FUNCTION seat_decide, seat_assign, seat_free, seat_reclaim, license_rooms, license_limit, seat_lock;

-- What the vendor tells the app through a Seat; the identity's member wins, then the license's, then the organization's.
-- The bound is the API's (4 KB of text); this one only keeps rows small.
CREATE DOMAIN config_map AS jsonb DEFAULT '{}' NOT NULL
  CHECK (jsonb_typeof(VALUE) = 'object' AND pg_column_size(VALUE) <= 65536);
ALTER TABLE organization ADD COLUMN config config_map;
ALTER TABLE identity ADD COLUMN config config_map;
ALTER TABLE license ADD COLUMN config config_map,
  ADD COLUMN max_borrow_seconds integer NOT NULL DEFAULT 0                           -- 0: lends nothing
    CHECK (max_borrow_seconds BETWEEN 0 AND 31536000),
  ADD COLUMN unborrowable_seats integer NOT NULL DEFAULT 0                           -- that never leave the network
    CHECK (unborrowable_seats BETWEEN 0 AND 1000000000),
  ADD COLUMN reassign_seconds integer NOT NULL DEFAULT 0                             -- how long a seat taken from one
    CHECK (reassign_seconds BETWEEN 0 AND 31536000);                                 -- person waits for the next

ALTER TABLE license_counter
  ADD COLUMN overdraft_until timestamptz CHECK (isfinite(overdraft_until)),          -- NULL: the overdraft does not end
  ADD COLUMN reserved integer NOT NULL DEFAULT 0 CHECK (reserved >= 0);              -- reservations that hold no seat

ALTER TABLE seat
  ADD COLUMN lent_until timestamptz,                    -- a loan: counts until then, heard from or not
  ADD COLUMN at_risk boolean NOT NULL DEFAULT false,    -- taken by force from a holder who may work on until then
  ADD COLUMN reserved boolean NOT NULL DEFAULT false,   -- what a reservation was made for; moved by its triggers
  ADD CHECK (kind < 3),                                 -- borrowed is what a lease or an assignment is while it is lent
  ADD CHECK (lent_until <= expires_at),
  ADD CHECK (NOT at_risk OR kind = 1 AND lent_until = expires_at);
CREATE INDEX seat_lent ON seat (license_id, lent_until) WHERE lent_until IS NOT NULL;

-- Seats set aside. `until` NULL: by the license's document of reservations. Else the cool-down of a named seat that was
-- taken from this identity: nobody else gets it before.
CREATE TABLE reservation (
  organization_id  bigint NOT NULL,
  product_id       bigint NOT NULL,
  identity_id      bigint NOT NULL,
  license_id       bigint NOT NULL,
  until            timestamptz,
  PRIMARY KEY (organization_id, product_id, identity_id, license_id)
);
ALTER TABLE reservation ALTER COLUMN organization_id SET STATISTICS 0;
CREATE INDEX reservation_license ON reservation (license_id, identity_id);
CREATE INDEX reservation_until ON reservation (license_id, until) WHERE until IS NOT NULL;

-- The guards: a seat kept for someone is either unused, and then counted by `reserved`, or a seat that says so.
CREATE FUNCTION reservation_added() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE public.seat s SET reserved = true WHERE s.organization_id = NEW.organization_id
    AND s.product_id = NEW.product_id AND s.identity_id = NEW.identity_id AND s.license_id = NEW.license_id;
  IF NOT FOUND THEN
    UPDATE public.license_counter c SET reserved = c.reserved + 1 WHERE c.organization_id = NEW.organization_id
      AND c.product_id = NEW.product_id AND c.license_id = NEW.license_id;
    IF NOT FOUND THEN RAISE 'a reservation of no license' USING ERRCODE = 'foreign_key_violation'; END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION reservation_removed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE public.seat s SET reserved = false WHERE s.organization_id = OLD.organization_id
    AND s.product_id = OLD.product_id AND s.identity_id = OLD.identity_id AND s.license_id = OLD.license_id;
  IF NOT FOUND THEN
    UPDATE public.license_counter c SET reserved = c.reserved - 1 WHERE c.organization_id = OLD.organization_id
      AND c.product_id = OLD.product_id AND c.license_id = OLD.license_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER reservation_added AFTER INSERT ON reservation FOR EACH ROW EXECUTE FUNCTION reservation_added();
CREATE TRIGGER reservation_removed AFTER DELETE ON reservation FOR EACH ROW EXECUTE FUNCTION reservation_removed();
CREATE TRIGGER reservation_pinned BEFORE UPDATE OF organization_id, product_id, identity_id, license_id ON reservation
  FOR EACH ROW EXECUTE FUNCTION refuse('a reservation cannot move between licenses or identities');
CREATE TRIGGER reservation_truncated BEFORE TRUNCATE ON reservation
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('reservations are deleted, not truncated: the counters must follow');
CREATE TRIGGER seat_reserved_by_hand BEFORE UPDATE OF reserved ON seat
  FOR EACH ROW WHEN (NEW.reserved <> OLD.reserved AND pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse('only reservations reserve a seat');

DROP TRIGGER license_full ON license_counter;
CREATE TRIGGER license_full BEFORE UPDATE OF in_use, reserved ON license_counter
  FOR EACH ROW WHEN (
    (NEW.in_use > OLD.in_use AND NEW.in_use > NEW.seats
      + CASE WHEN NEW.overdraft_until <= NEW.last_at THEN 0 ELSE NEW.overdraft END)
    OR (NEW.in_use + NEW.reserved > OLD.in_use + OLD.reserved AND NEW.in_use + NEW.reserved > NEW.seats
      + CASE WHEN NEW.overdraft_until <= NEW.last_at THEN 0 ELSE NEW.overdraft END))
  EXECUTE FUNCTION refuse('the license has no seat left');
DROP TRIGGER counter_moved_by_hand ON license_counter;
CREATE TRIGGER counter_moved_by_hand BEFORE UPDATE OF in_use, reserved ON license_counter
  FOR EACH ROW WHEN ((NEW.in_use <> OLD.in_use OR NEW.reserved <> OLD.reserved) AND pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse('only seats and reservations move in_use and reserved');

-- Seats that come: the counter, and the minute. What a minute began with it has from the last row before it.
CREATE OR REPLACE FUNCTION seat_added() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE x record;
BEGIN
  FOR x IN SELECT a.organization_id, a.product_id, a.license_id, count(*)::integer AS count,
        (count(*) FILTER (WHERE a.reserved))::integer AS reserved
      FROM added a GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LOOP
    WITH counter AS (
      UPDATE public.license_counter c SET in_use = c.in_use + x.count, reserved = c.reserved - x.reserved
       WHERE c.organization_id = x.organization_id AND c.product_id = x.product_id AND c.license_id = x.license_id
      RETURNING c.*)
    INSERT INTO public.usage_minute AS m (organization_id, license_id, minute, peak, final, grants)
    SELECT c.organization_id, c.license_id, date_trunc('minute', c.last_at), c.in_use, c.in_use, x.count FROM counter c
    ON CONFLICT (organization_id, license_id, minute)
    DO UPDATE SET peak = greatest(m.peak, excluded.final), final = excluded.final, grants = m.grants + excluded.grants;
    IF NOT FOUND THEN RAISE 'a seat of no license' USING ERRCODE = 'foreign_key_violation'; END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- Seats that go: each was in use until it ended, or until now. One that ended in an earlier minute was counted in every
-- minute since, and is taken out of them.
CREATE OR REPLACE FUNCTION seat_removed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE x record; before integer; this_minute timestamptz;
BEGIN
  FOR x IN SELECT r.organization_id, r.product_id, r.license_id, count(*)::integer AS count,
        (count(*) FILTER (WHERE r.reserved))::integer AS reserved, array_agg(r.expires_at) AS ends
      FROM removed r GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LOOP
    UPDATE public.license_counter c SET in_use = c.in_use - x.count, reserved = c.reserved + x.reserved
     WHERE c.organization_id = x.organization_id AND c.product_id = x.product_id AND c.license_id = x.license_id
    RETURNING c.in_use + x.count, date_trunc('minute', c.last_at) INTO before, this_minute;
    INSERT INTO public.usage_minute (organization_id, license_id, minute, peak, final, grants)
    VALUES (x.organization_id, x.license_id, this_minute, before, before, 0) ON CONFLICT DO NOTHING;
    WITH gone AS MATERIALIZED (
        SELECT least(date_trunc('minute', e.at), this_minute) AS minute, count(*)::integer AS count
          FROM unnest(x.ends) e(at) GROUP BY 1),
      -- A minute in which nothing else happened has no row yet.
      carried AS MATERIALIZED (
        SELECT g.minute, m.final FROM gone g CROSS JOIN LATERAL (
          SELECT m.minute, m.final FROM public.usage_minute m WHERE m.organization_id = x.organization_id
             AND m.license_id = x.license_id AND m.minute <= g.minute ORDER BY m.minute DESC LIMIT 1) m
         WHERE g.minute < this_minute AND m.minute < g.minute),
      made AS (
        INSERT INTO public.usage_minute (organization_id, license_id, minute, peak, final, grants)
        SELECT x.organization_id, x.license_id, c.minute,
          c.final - coalesce((SELECT sum(g.count) FROM gone g WHERE g.minute < c.minute), 0),
          c.final - (SELECT sum(g.count) FROM gone g WHERE g.minute <= c.minute), 0 FROM carried c)
    UPDATE public.usage_minute m SET
        peak = m.peak - coalesce((SELECT sum(g.count) FROM gone g WHERE g.minute < m.minute), 0),
        final = m.final - (SELECT sum(g.count) FROM gone g WHERE g.minute <= m.minute)
     WHERE m.organization_id = x.organization_id AND m.license_id = x.license_id
       AND m.minute BETWEEN (SELECT min(g.minute) FROM gone g) AND this_minute;
  END LOOP;
  RETURN NULL;
END $$;

-- What the answers say more (`seat_answer`): a loan's end, configuration, what each license said to a request that
-- demands something of it (NULL: what the rows of the licenses say), and the revisions of the other things that a seat
-- is made of. A seat's revision is the greater of its own and its license's, and the sum of those beside them.
ALTER TYPE seat_answer ADD ATTRIBUTE lent_until timestamptz;
ALTER TYPE seat_answer ADD ATTRIBUTE config jsonb;
ALTER TYPE seat_answer ADD ATTRIBUTE candidates jsonb;
ALTER TYPE seat_answer ADD ATTRIBUTE beside bigint;

-- The licenses of a product as a newcomer finds them at `t`. `state`: why nobody may use it now. `is_open`: a claim
-- alone may take a seat. `overdraft`: 0 when it is over.
CREATE FUNCTION license_rooms(o bigint, p bigint, t timestamptz)
RETURNS TABLE (license_id bigint, license uuid, state text, is_open boolean, seats integer, overdraft integer,
  in_use integer, reserved integer, kind smallint, lease_seconds integer, grace_seconds integer, ends_at timestamptz,
  features jsonb, config jsonb, revision bigint, max_borrow_seconds integer, unborrowable_seats integer)
LANGUAGE sql STABLE AS $$
  SELECT c.license_id, l.public_id, s.state, s.state IS NULL AND (l.model = 1 OR l.assignment = 2),
    c.seats, CASE WHEN c.overdraft_until <= t THEN 0 ELSE c.overdraft END, c.in_use, c.reserved,
    (CASE l.model WHEN 1 THEN 1 ELSE 2 END)::smallint, l.lease_seconds, l.grace_seconds, l.ends_at, l.features::jsonb,
    l.config::jsonb, c.revision, l.max_borrow_seconds, l.unborrowable_seats
  FROM public.license_counter c
  CROSS JOIN LATERAL (SELECT l.* FROM public.license l
    WHERE l.organization_id = c.organization_id AND l.id = c.license_id OFFSET 0) l
  CROSS JOIN LATERAL (SELECT CASE WHEN l.status = 2 THEN 'license-suspended' WHEN l.ends_at <= t THEN 'license-expired'
    WHEN l.starts_at > t THEN 'license-not-started' END AS state) s
  WHERE c.organization_id = o AND c.product_id = p AND l.status < 3
$$;

-- What a license has against a newcomer who demands something of it, other than that it is full; NULL: nothing.
-- A new rule about whom a license takes belongs here.
CREATE FUNCTION license_objection(r record, product_features jsonb, ask jsonb, t timestamptz) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF ask ->> 'license' <> r.license::text THEN RETURN 'license-required'; END IF;
  IF EXISTS (SELECT FROM jsonb_array_elements_text(ask -> 'features') f(name)
      WHERE coalesce((product_features || r.features) -> f.name, 'false') = 'false') THEN
    RETURN 'license-required';
  END IF;
  RETURN coalesce(r.state, CASE WHEN NOT r.is_open THEN 'seat-not-assigned' END,
    public.loan_objection(r, (ask ->> 'until')::bigint, t));
END $$;

-- What a license has against lending until then (microseconds since 1970; NULL: nothing is to be lent).
CREATE FUNCTION loan_objection(r record, until bigint, t timestamptz) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE at timestamptz := timestamptz 'epoch' + until * interval '1 microsecond';
BEGIN
  IF until IS NULL THEN RETURN NULL; END IF;
  IF r.max_borrow_seconds = 0 THEN RETURN 'borrow-not-permitted'; END IF;
  IF at <= t OR at > t + r.max_borrow_seconds * interval '1 second' OR at > r.ends_at THEN
    RETURN 'borrow-out-of-range';
  END IF;
  RETURN NULL;
END $$;

-- How many more seats a license lends.
CREATE FUNCTION license_lendable(license bigint, seats integer, unborrowable integer, t timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT greatest(0, seats - unborrowable - count(*)) FROM public.seat s
   WHERE s.license_id = license AND s.lent_until IS NOT NULL AND s.lent_until > t
$$;

-- The reasons of a refusal, the first that applies first (api.md).
CREATE FUNCTION refusal_rank(reason text) RETURNS integer LANGUAGE sql IMMUTABLE RETURN array_position(
  ARRAY['no-seat-available', 'seat-not-assigned', 'not-permitted', 'borrow-out-of-range', 'borrow-not-permitted',
    'license-suspended', 'license-expired', 'license-not-started', 'license-required'], reason);

-- Locks the seats of a product until the transaction ends, and sets their clock. No license ever: `licenses` is NULL.
CREATE FUNCTION seat_lock(o bigint, p bigint, OUT t timestamptz, OUT generation bigint, OUT licenses bigint[])
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'seats are decided under READ COMMITTED only' USING ERRCODE = 'active_sql_transaction';
  END IF;
  PERFORM pg_advisory_xact_lock(hashint8extended(o, p));
  SELECT greatest(clock_timestamp(), max(c.last_at)), max(c.generation), array_agg(c.license_id)
    INTO t, generation, licenses
    FROM (SELECT * FROM public.license_counter c WHERE c.organization_id = o AND c.product_id = p
          ORDER BY c.license_id FOR NO KEY UPDATE) c;
  UPDATE public.license_counter c SET last_at = seat_lock.t WHERE c.organization_id = o AND c.product_id = p;
END $$;

-- Drops what has ended: leases, and cool-downs. Rows that only look expired (renewed since) get their lower bound moved
-- along. Bounded, by `most` rows of each kind and license; how many rows were touched.
CREATE FUNCTION seat_sweep(o bigint, p bigint, among bigint[], t timestamptz, most bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE touched bigint;
BEGIN
  WITH stale AS MATERIALIZED (
      SELECT s.ctid AS spot, s.expires_at <= t AS is_dead FROM unnest(among) x(id) CROSS JOIN LATERAL (
        SELECT s.ctid, s.expires_at FROM public.seat s
         WHERE s.license_id = x.id AND s.reclaim_at <= t
         ORDER BY s.reclaim_at LIMIT most) s),
    dead AS (DELETE FROM public.seat s USING stale x WHERE s.ctid = x.spot AND x.is_dead RETURNING s.*),
    told AS (INSERT INTO public.event (organization_id, at, type, license_id, identity_id, generation)
      SELECT o, d.expires_at, 'seat.expired', d.license_id, d.identity_id, d.generation FROM dead d),
    late AS (UPDATE public.seat s SET reclaim_at = s.expires_at FROM stale x WHERE s.ctid = x.spot AND NOT x.is_dead
      RETURNING 1)
    SELECT (SELECT count(*) FROM dead) + (SELECT count(*) FROM late) INTO touched;
  -- After the seats, so that it finds what is left of theirs.
  WITH stale AS MATERIALIZED (
      SELECT r.ctid AS spot FROM unnest(among) x(id) CROSS JOIN LATERAL (
        SELECT r.ctid FROM public.reservation r
         WHERE r.license_id = x.id AND r.until IS NOT NULL AND r.until <= t
         ORDER BY r.until LIMIT most) r),
    gone AS (DELETE FROM public.reservation r USING stale x WHERE r.ctid = x.spot RETURNING 1)
    SELECT touched + count(*) INTO touched FROM gone;
  RETURN touched;
END $$;

-- Sweeps until `wanted` seats are free for anyone or nothing has ended any more; the number free.
CREATE FUNCTION seat_reclaim(o bigint, p bigint, among bigint[], t timestamptz, wanted bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE free bigint; touched bigint;
BEGIN
  LOOP
    touched := public.seat_sweep(o, p, among, t, wanted + 512);
    SELECT coalesce(sum(greatest(0, c.seats + CASE WHEN c.overdraft_until <= t THEN 0 ELSE c.overdraft END
        - c.in_use - c.reserved)), 0) INTO free
      FROM unnest(among) x(id) CROSS JOIN LATERAL (SELECT c.* FROM public.license_counter c
        WHERE c.organization_id = o AND c.product_id = p AND c.license_id = x.id OFFSET 0) c;
    EXIT WHEN free >= wanted OR touched = 0;
  END LOOP;
  RETURN free;
END $$;

-- Gives a seat of one of these licenses to as many of `people` as there is room for, the first before the others: plain
-- seats of every license before anyone's overdraft, the license that ends first before the others. What they held goes.
-- One row each, in their order: whoever has none was refused.
--
-- `is_kept`: the seats are those that were reserved for these people, and plain. `new_kind`: other than the license's own.
-- `until`: lent until then (microseconds since 1970), and never of an overdraft. `actor_kind`: 2 for whom it is.
CREATE FUNCTION seat_grant(o bigint, p bigint, t timestamptz, g bigint, among bigint[], is_kept boolean,
  places integer[], people bigint[], beside bigint[], configs jsonb[], new_kind smallint, until bigint,
  actor_kind smallint, actor bigint) RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE tiers bigint[]; lows bigint[]; highs bigint[]; overs boolean[]; room bigint; lost bigint[];
  loan timestamptz := timestamptz 'epoch' + until * interval '1 microsecond';
BEGIN
  -- Where there is room, as one stretch of places after the other.
  WITH tier AS (
      SELECT r.license_id, v.is_over, r.ends_at, least(CASE
          WHEN is_kept THEN CASE WHEN v.is_over THEN 0 ELSE greatest(0, r.seats + r.overdraft - r.in_use) END
          WHEN v.is_over THEN least(r.overdraft, greatest(0, r.seats + r.overdraft - r.in_use - r.reserved))
          ELSE greatest(0, r.seats - r.in_use - r.reserved) END,
          CASE WHEN until IS NOT NULL THEN CASE WHEN v.is_over THEN 0
            ELSE public.license_lendable(r.license_id, r.seats, r.unborrowable_seats, t) END END) AS room
      FROM public.license_rooms(o, p, t) r CROSS JOIN (VALUES (false), (true)) v(is_over)
     WHERE r.license_id = ANY (among)),
    span AS (
      SELECT x.*, sum(x.room) OVER w AS high
      FROM tier x WINDOW w AS (ORDER BY x.is_over, x.ends_at NULLS LAST, x.license_id))
    SELECT array_agg(x.license_id ORDER BY x.high), array_agg(x.high - x.room ORDER BY x.high),
        array_agg(x.high ORDER BY x.high), array_agg(x.is_over ORDER BY x.high), max(x.high)
      INTO tiers, lows, highs, overs, room FROM span x WHERE x.room > 0;
  IF room IS NULL THEN RETURN; END IF;
  -- A seat of another license of the product goes first: there is one each.
  WITH moved AS MATERIALIZED (
      SELECT s.spot FROM (SELECT o AS o, p AS p, x.id FROM unnest(people[:room]) x(id) OFFSET 0) x
      CROSS JOIN LATERAL (SELECT s.ctid AS spot FROM public.seat s
        WHERE s.organization_id = x.o AND s.product_id = x.p AND s.identity_id = x.id OFFSET 0) s),
    gone AS (DELETE FROM public.seat s USING moved x WHERE s.ctid = x.spot RETURNING s.*),
    told AS (
      INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
      SELECT o, t, 'seat.moved', actor_kind, coalesce(actor, CASE actor_kind WHEN 2 THEN d.identity_id END),
        d.license_id, d.identity_id, d.generation FROM gone d)
    SELECT array_agg(d.identity_id) INTO lost FROM gone d;
  IF lost IS NOT NULL THEN
    INSERT INTO public.change (kind, organization_id, key, members) VALUES (6, o, p, lost);
  END IF;
  RETURN QUERY WITH
    won AS MATERIALIZED (
      SELECT x.place, x.id, x.beside, x.config, g + x.k AS generation, r.license_id, v.kind, z.is_over, r.ends_at,
        CASE v.kind WHEN 2 THEN 'infinity' ELSE greatest(loan,
          least(t + r.lease_seconds * interval '1 second', r.ends_at)) END AS expires_at,
        CASE WHEN x.config IS NOT NULL THEN (SELECT d.config FROM public.organization d WHERE d.id = o) || r.config END AS base
      FROM unnest(places[:room], people[:room], beside[:room], configs[:room])
        WITH ORDINALITY x(place, id, beside, config, k)
      JOIN unnest(tiers, lows, highs, overs) z(license_id, low, high, is_over) ON x.k > z.low AND x.k <= z.high
      JOIN public.license_rooms(o, p, t) r ON r.license_id = z.license_id
      CROSS JOIN LATERAL (SELECT coalesce(new_kind, r.kind) AS kind) v),
    put AS (
      INSERT INTO public.seat (organization_id, product_id, identity_id, license_id, kind, overdraft, reserved,
        generation, revision, granted_at, last_seen_at, expires_at, reclaim_at, lent_until)
      SELECT o, p, w.id, w.license_id, w.kind, w.is_over, is_kept, w.generation, w.generation, t,
        CASE actor_kind WHEN 2 THEN t END, w.expires_at, w.expires_at, loan
      FROM won w),
    told AS (
      INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation,
        detail)
      SELECT o, t, CASE WHEN loan IS NOT NULL THEN 'seat.borrowed' WHEN w.kind = 2 THEN 'seat.assigned'
          ELSE 'seat.granted' END, actor_kind, coalesce(actor, CASE actor_kind WHEN 2 THEN w.id END), w.license_id, w.id,
        w.generation, CASE WHEN loan IS NOT NULL THEN jsonb_build_object('until', loan) END FROM won w)
    SELECT w.place, 'granted', NULL::text, w.license_id, NULL::uuid,
      CASE WHEN loan IS NOT NULL THEN 3::smallint ELSE w.kind END, w.is_over, w.generation, w.generation, t,
      nullif(least(w.expires_at, w.ends_at), 'infinity'), t, NULL::integer, NULL::integer, NULL::timestamptz,
      NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz, loan, w.base || w.config, NULL::jsonb, w.beside
      FROM won w;
END $$;

-- Decides a batch. `ops`: 1 claim or renew, 2 renew the seat of this generation only, 3 release, 4 borrow.
-- `asks`: NULL, or what single requests demand: position → {"license"?: id, "features"?: [name], "until"?: microseconds
-- since 1970}.
CREATE FUNCTION seat_decide(o bigint, p bigint, ops smallint[], identities bigint[], generations bigint[], asks jsonb)
RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  t timestamptz; g bigint; counters bigint[];
  licenses bigint[]; states text[]; leases interval[]; ends timestamptz[]; bases jsonb[];
  tenant public.organization; product public.product; lost bigint[]; count integer; x record; y record;
  found integer := 0;  -- rows written of those seen in step 1
  -- requests by what becomes of them, in parallel arrays: position, identity, row of the seat, configuration, revision
  renew_at integer[]; renew_spot tid[]; renew_config jsonb[]; renew_beside bigint[];
  lend_at integer[]; lend_by bigint[]; lend_config jsonb[]; lend_beside bigint[];
  release_at integer[]; release_spot tid[]; return_spot tid[]; dead_spot tid[];
  claim_at integer[]; claim_by bigint[]; claim_config jsonb[]; claim_beside bigint[]; done integer[] := '{}';
  no_at integer[]; no_to bigint[]; no_why text[]; no_loss text[]; no_license bigint[]; no_until timestamptz[];
  no_candidates jsonb[];
  why text; why_license bigint; candidates jsonb; open bigint[]; is_full boolean := false;
BEGIN
  SELECT l.t, l.generation, l.licenses INTO t, g, counters FROM public.seat_lock(o, p) l;
  IF counters IS NULL THEN
    RETURN QUERY SELECT x.i::integer, CASE x.op WHEN 3 THEN 'released' ELSE 'product-unknown' END, NULL::text,
      NULL::bigint, NULL::uuid, NULL::smallint, NULL::boolean, NULL::bigint, NULL::bigint, NULL::timestamptz,
      NULL::timestamptz, clock_timestamp(), NULL::integer, NULL::integer, NULL::timestamptz, NULL::jsonb,
      NULL::integer, NULL::integer, NULL::timestamptz, NULL::timestamptz, NULL::jsonb, NULL::jsonb, NULL::bigint
      FROM unnest(ops) WITH ORDINALITY x(op, i);
    RETURN;
  END IF;
  SELECT * INTO tenant FROM public.organization d WHERE d.id = o;
  SELECT * INTO product FROM public.product d WHERE d.id = p;
  SELECT array_agg(r.license_id), array_agg(r.state), array_agg(r.lease_seconds * interval '1 second'),
      array_agg(r.ends_at), array_agg(tenant.config || r.config)
    INTO licenses, states, leases, ends, bases FROM public.license_rooms(o, p, t) r;

  -- 1. Who asks, what they hold, and what becomes of it. `state` says why a license is out of force; `is_live` that the
  --    seat has not run out. A lease on a license out of force may move to another license; what is lent there stays, and
  --    so does what is assigned, unless the license ended.
  SELECT array_agg(v.i) FILTER (WHERE v.fate = 'renew'), array_agg(v.spot) FILTER (WHERE v.fate = 'renew'),
      array_agg(v.config) FILTER (WHERE v.fate = 'renew'), array_agg(v.beside) FILTER (WHERE v.fate = 'renew'),
      array_agg(v.i) FILTER (WHERE v.fate = 'lend'), array_agg(v.id) FILTER (WHERE v.fate = 'lend'),
      array_agg(v.config) FILTER (WHERE v.fate = 'lend'), array_agg(v.beside) FILTER (WHERE v.fate = 'lend'),
      array_agg(v.i) FILTER (WHERE v.fate = 'release'),
      array_agg(v.spot) FILTER (WHERE v.fate = 'release' AND v.kind = 1),
      array_agg(v.spot) FILTER (WHERE v.fate = 'release' AND v.kind = 2 AND v.is_lent),
      array_agg(v.spot) FILTER (WHERE v.fate = 'claim' AND NOT v.is_live),
      array_agg(v.i) FILTER (WHERE v.fate = 'claim'), array_agg(v.id) FILTER (WHERE v.fate = 'claim'),
      array_agg(v.config) FILTER (WHERE v.fate = 'claim'), array_agg(v.beside) FILTER (WHERE v.fate = 'claim'),
      array_agg(v.i) FILTER (WHERE v.fate = 'no'), array_agg(v.id) FILTER (WHERE v.fate = 'no'),
      array_agg(v.why) FILTER (WHERE v.fate = 'no'), array_agg(v.loss) FILTER (WHERE v.fate = 'no'),
      array_agg(v.license_id) FILTER (WHERE v.fate = 'no'), array_agg(v.until) FILTER (WHERE v.fate = 'no'),
      array_agg(NULL::jsonb) FILTER (WHERE v.fate = 'no')
    INTO renew_at, renew_spot, renew_config, renew_beside, lend_at, lend_by, lend_config, lend_beside,
      release_at, release_spot, return_spot, dead_spot, claim_at, claim_by, claim_config, claim_beside,
      no_at, no_to, no_why, no_loss, no_license, no_until, no_candidates
    FROM (
      SELECT x.i, x.id, h.spot, h.kind, h.license_id, h.is_live, h.is_lent, w.why, d.revision AS beside,
        CASE WHEN d.has_config AND w.why IS NULL THEN CASE WHEN h.is_live
          THEN bases[array_position(licenses, h.license_id)] || d.config ELSE d.config END END AS config,
        CASE WHEN x.op = 3 THEN 'release' WHEN w.why IS NOT NULL THEN 'no' WHEN NOT (h.is_live AND h.state IS NULL)
          OR h.is_live IS NULL THEN 'claim' WHEN x.op = 4 THEN 'lend' ELSE 'renew' END AS fate,
        CASE w.why WHEN 'lease-lost' THEN CASE WHEN h.at_risk THEN 'released'
          WHEN h.generation IS DISTINCT FROM x.generation
          AND b.generation >= x.generation THEN CASE b.reason WHEN 1 THEN 'released' ELSE 'drained' END
          ELSE 'expired' END END AS loss,
        CASE w.why WHEN 'seat-blocked' THEN CASE WHEN h.is_live THEN h.expires_at ELSE b.blocked_until END END AS until
      FROM (SELECT o AS o, p AS p, x.op, x.id, x.generation, x.i::integer
              FROM unnest(ops, identities, generations) WITH ORDINALITY x(op, id, generation, i) OFFSET 0) x
      LEFT JOIN LATERAL (SELECT d.status, d.revision, d.config::jsonb AS config, d.config::jsonb <> '{}' AS has_config
        FROM public.identity d
        WHERE d.organization_id = x.o AND d.id = x.id AND x.op <> 3 OFFSET 0) d ON true
      LEFT JOIN LATERAL (SELECT s.ctid AS spot, s.kind, s.license_id, s.generation, s.expires_at, s.at_risk,
          s.expires_at > t AS is_live, coalesce(s.lent_until > t, false) AS is_lent,
          CASE WHEN s.license_id = ANY (licenses) THEN states[array_position(licenses, s.license_id)]
            ELSE 'license-expired' END AS state
        FROM public.seat s WHERE s.organization_id = x.o AND s.product_id = x.p AND s.identity_id = x.id OFFSET 0) h
        ON true
      LEFT JOIN LATERAL (SELECT b.generation, b.reason, b.blocked_until FROM public.seat_loss b
        WHERE b.organization_id = x.o AND b.product_id = x.p AND b.identity_id = x.id AND x.op <> 3
          AND (h.is_live IS NOT TRUE OR x.op = 2 AND h.generation <> x.generation) OFFSET 0) b ON true
      CROSS JOIN LATERAL (SELECT CASE
        WHEN x.op = 3 THEN NULL
        WHEN d.status IS DISTINCT FROM 1 THEN 'identity-suspended'
        WHEN tenant.status IS DISTINCT FROM 1 THEN 'organization-suspended'
        WHEN x.op = 2 THEN CASE WHEN h.is_live AND NOT h.at_risk AND h.generation = x.generation THEN h.state
          ELSE 'lease-lost' END
        WHEN h.is_live AND h.at_risk THEN 'seat-blocked'
        WHEN h.is_live THEN CASE WHEN h.is_lent OR h.kind = 2 AND h.state <> 'license-expired' THEN h.state END
        WHEN b.blocked_until > t THEN 'seat-blocked' END AS why) w) v;

  -- 2. Releases first: what they free serves the claims of this batch. An assigned seat stays, but is lent no more.
  IF release_at IS NOT NULL THEN
    IF release_spot IS NOT NULL THEN
      WITH gone AS (
          DELETE FROM public.seat s USING unnest(release_spot) x(spot) WHERE s.ctid = x.spot
          RETURNING s.license_id, s.identity_id, s.generation, s.expires_at, s.expires_at > t AS was_live),
        told AS (
          INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
          SELECT o, least(t, d.expires_at), CASE WHEN d.was_live THEN 'seat.released' ELSE 'seat.expired' END,
            CASE WHEN d.was_live THEN 2 ELSE 0 END, CASE WHEN d.was_live THEN d.identity_id END,
            d.license_id, d.identity_id, d.generation FROM gone d),
        past AS (
          INSERT INTO public.seat_loss AS b (organization_id, product_id, identity_id, generation, reason, at)
          SELECT o, p, d.identity_id, d.generation, 1, t FROM gone d WHERE d.was_live
          ON CONFLICT (organization_id, product_id, identity_id)
          DO UPDATE SET generation = excluded.generation, reason = excluded.reason, at = excluded.at)
        SELECT array_agg(d.identity_id) FILTER (WHERE d.was_live), count(*) INTO lost, found FROM gone d;
    END IF;
    IF return_spot IS NOT NULL THEN
      g := g + 1;
      WITH back AS (
          UPDATE public.seat s SET lent_until = NULL, revision = g FROM unnest(return_spot) x(spot) WHERE s.ctid = x.spot
          RETURNING s.*)
        INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
        SELECT o, t, 'seat.returned', 2, d.identity_id, d.license_id, d.identity_id, d.generation FROM back d;
      GET DIAGNOSTICS count = ROW_COUNT;
      found := found + count;
    END IF;
    RETURN QUERY SELECT x.i, 'released', NULL::text, NULL::bigint, NULL::uuid, NULL::smallint, NULL::boolean,
      NULL::bigint, NULL::bigint, NULL::timestamptz, NULL::timestamptz, t, NULL::integer, NULL::integer,
      NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz, NULL::timestamptz, NULL::jsonb,
      NULL::jsonb, NULL::bigint FROM unnest(release_at) x(i);
    IF lost IS NOT NULL THEN
      INSERT INTO public.change (kind, organization_id, key, members) VALUES (6, o, p, lost);
    END IF;
  END IF;

  -- 3. Renewals. An expiry never moves back. `reclaim_at` moves only when less than half a lease is left of it, so that a
  --    client that renews at a third of its lease moves the index at every second or third renewal.
  IF renew_at IS NOT NULL THEN
    RETURN QUERY UPDATE public.seat s SET last_seen_at = t,
        expires_at = greatest(s.expires_at, least(t + leases[array_position(licenses, s.license_id)],
          ends[array_position(licenses, s.license_id)])),
        reclaim_at = CASE WHEN s.reclaim_at < t + leases[array_position(licenses, s.license_id)] / 2
          THEN greatest(s.expires_at, least(t + leases[array_position(licenses, s.license_id)],
            ends[array_position(licenses, s.license_id)])) ELSE s.reclaim_at END
      FROM unnest(renew_at, renew_spot, renew_config, renew_beside) x(i, spot, config, beside) WHERE s.ctid = x.spot
    RETURNING x.i, 'renewed', NULL::text, s.license_id, NULL::uuid,
      CASE WHEN s.lent_until > t THEN 3::smallint ELSE s.kind END, s.overdraft, s.generation, s.revision,
      s.granted_at, nullif(least(s.expires_at, ends[array_position(licenses, s.license_id)]), 'infinity'), t,
      NULL::integer, NULL::integer, NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz,
      CASE WHEN s.lent_until > t THEN s.lent_until END, x.config, NULL::jsonb, x.beside;
    GET DIAGNOSTICS count = ROW_COUNT;
    found := found + count;
  END IF;

  -- 4. Who claims with a lease of theirs that has run out gets a new seat: the key would collide.
  IF dead_spot IS NOT NULL THEN
    WITH dead AS (DELETE FROM public.seat s USING unnest(dead_spot) x(spot) WHERE s.ctid = x.spot RETURNING s.*)
      INSERT INTO public.event (organization_id, at, type, license_id, identity_id, generation)
      SELECT o, d.expires_at, 'seat.expired', d.license_id, d.identity_id, d.generation FROM dead d;
    GET DIAGNOSTICS count = ROW_COUNT;
    found := found + count;
  END IF;
  -- Whoever goes through these functions waited for the lock. A row that is not where it was, somebody wrote by hand.
  IF found <> coalesce(cardinality(release_spot), 0) + coalesce(cardinality(return_spot), 0)
      + coalesce(cardinality(renew_spot), 0) + coalesce(cardinality(dead_spot), 0) THEN
    RAISE 'seats were changed by hand meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;

  -- 5. Loans of seats that are held, one after the other: each may take the last that is lent.
  IF lend_at IS NOT NULL THEN
    FOR x IN SELECT * FROM unnest(lend_at, lend_by, lend_config, lend_beside) x(i, id, config, beside) LOOP
      SELECT f.why, f.license_id INTO why, why_license
        FROM public.seat_lend(o, p, x.id, (asks -> x.i::text ->> 'until')::bigint, t, g + 1) f;
      IF why IS NULL THEN
        g := g + 1;
        RETURN QUERY SELECT x.i, 'renewed', NULL::text, s.license_id, NULL::uuid, 3::smallint, s.overdraft,
          s.generation, s.revision, s.granted_at,
          nullif(least(s.expires_at, ends[array_position(licenses, s.license_id)]), 'infinity'), t, NULL::integer,
          NULL::integer, NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz, s.lent_until,
          x.config, NULL::jsonb, x.beside FROM public.seat s
         WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = x.id;
      ELSE
        no_at := no_at || x.i; no_to := no_to || x.id; no_why := no_why || why; no_loss := no_loss || NULL::text;
        no_license := no_license || why_license; no_until := no_until || NULL::timestamptz;
        no_candidates := no_candidates || (SELECT jsonb_build_array(jsonb_build_object('license', r.license, 'code', why))
          FROM public.license_rooms(o, p, t) r WHERE r.license_id = why_license);
        is_full := is_full OR why = 'no-seat-available';
      END IF;
    END LOOP;
  END IF;

  -- 6. Claims. What was reserved goes to whom it was reserved for; the rest get what is left, those who demand the same
  --    together.
  IF claim_at IS NOT NULL THEN
    PERFORM public.seat_reclaim(o, p, counters, t, cardinality(claim_at));
    IF EXISTS (SELECT FROM public.license_rooms(o, p, t) r WHERE r.reserved > 0) THEN
      FOR x IN
        SELECT k.license_id, v.ask, array_agg(v.i) AS at, array_agg(v.id) AS ids, array_agg(v.config) AS configs,
            array_agg(v.beside) AS beside
          FROM (SELECT o AS o, p AS p, x.*, asks -> x.i::text AS ask
            FROM unnest(claim_at, claim_by, claim_config, claim_beside) x(i, id, config, beside) OFFSET 0) v
          CROSS JOIN LATERAL (SELECT r.license_id FROM public.license_rooms(v.o, v.p, t) r WHERE r.reserved > 0
              AND EXISTS (SELECT FROM public.reservation k WHERE k.organization_id = v.o AND k.product_id = v.p
                AND k.identity_id = v.id AND k.license_id = r.license_id OFFSET 0)
              AND public.license_objection(r, product.features, v.ask, t) IS NULL
              AND r.in_use < r.seats + r.overdraft
            ORDER BY r.ends_at NULLS LAST, r.license_id LIMIT 1) k
         GROUP BY 1, 2 ORDER BY min(v.i)
      LOOP
        RETURN QUERY SELECT * FROM public.seat_grant(o, p, t, g, ARRAY[x.license_id], true, x.at, x.ids, x.beside,
          x.configs, NULL, (x.ask ->> 'until')::bigint, 2::smallint, NULL);
        GET DIAGNOSTICS count = ROW_COUNT;
        g := g + count;
        done := done || x.at[:count];
      END LOOP;
    END IF;
    FOR x IN
      SELECT v.ask, array_agg(v.i) AS at, array_agg(v.id) AS ids, array_agg(v.config) AS configs,
          array_agg(v.beside) AS beside
        FROM (SELECT x.*, asks -> x.i::text AS ask
          FROM unnest(claim_at, claim_by, claim_config, claim_beside) x(i, id, config, beside)) v
       WHERE done = '{}' OR v.i <> ALL (done) GROUP BY 1 ORDER BY min(v.i)
    LOOP
      SELECT array_agg(r.license_id) INTO open FROM public.license_rooms(o, p, t) r
       WHERE CASE WHEN x.ask IS NULL THEN r.is_open
         ELSE public.license_objection(r, product.features, x.ask, t) IS NULL END;
      count := 0;
      IF open IS NOT NULL THEN
        RETURN QUERY SELECT * FROM public.seat_grant(o, p, t, g, open, false, x.at, x.ids, x.beside, x.configs, NULL,
          (x.ask ->> 'until')::bigint, 2::smallint, NULL);
        GET DIAGNOSTICS count = ROW_COUNT;
        g := g + count;
      END IF;
      CONTINUE WHEN count = cardinality(x.at);
      -- The first reason that applies, in the order of the API.
      why := NULL; why_license := NULL; candidates := NULL;
      FOR y IN SELECT r.license_id, r.license, coalesce(CASE WHEN x.ask IS NOT NULL
              THEN public.license_objection(r, product.features, x.ask, t)
              ELSE coalesce(r.state, CASE WHEN NOT r.is_open THEN 'seat-not-assigned' END) END, 'no-seat-available') AS why
            FROM public.license_rooms(o, p, t) r ORDER BY r.ends_at NULLS LAST, r.license_id LOOP
        IF why IS NULL OR public.refusal_rank(y.why) < public.refusal_rank(why) THEN
          why := y.why; why_license := y.license_id;
        END IF;
        IF x.ask IS NOT NULL THEN
          candidates := coalesce(candidates, '[]') || jsonb_build_object('license', y.license, 'code', y.why);
        END IF;
      END LOOP;
      is_full := is_full OR coalesce(why = 'no-seat-available', false);
      count := cardinality(x.at) - count;
      no_at := no_at || x.at[cardinality(x.at) - count + 1:]; no_to := no_to || x.ids[cardinality(x.at) - count + 1:];
      no_why := no_why || array_fill(coalesce(why, 'license-required'), ARRAY[count]);
      no_loss := no_loss || array_fill(NULL::text, ARRAY[count]);
      no_license := no_license || array_fill(why_license, ARRAY[count]);
      no_until := no_until || array_fill(NULL::timestamptz, ARRAY[count]);
      no_candidates := no_candidates || array_fill(candidates, ARRAY[count]);
    END LOOP;
  END IF;

  -- 7. The clock of this product's seats.
  IF claim_at IS NOT NULL OR lend_at IS NOT NULL OR return_spot IS NOT NULL THEN
    UPDATE public.license_counter c SET generation = g
     WHERE c.organization_id = o AND c.product_id = p AND c.generation < g;
  END IF;

  -- 8. Refusals: told, counted, and the first of a minute recorded.
  IF no_at IS NOT NULL THEN
    RETURN QUERY SELECT x.i, x.why, x.loss, x.license_id, NULL::uuid, NULL::smallint, NULL::boolean, NULL::bigint,
      NULL::bigint, NULL::timestamptz, NULL::timestamptz, t, NULL::integer, NULL::integer, NULL::timestamptz,
      NULL::jsonb, NULL::integer, NULL::integer, x.until, NULL::timestamptz, NULL::jsonb, x.candidates, NULL::bigint
      FROM unnest(no_at, no_why, no_loss, no_license, no_until, no_candidates) x(i, why, loss, license_id, until,
        candidates);
    WITH counted AS (
        INSERT INTO public.denial_minute AS m (organization_id, product_id, license_id, minute, reason, count)
        SELECT o, p, coalesce(x.license_id, 0), date_trunc('minute', t), x.why, count(*)
          FROM unnest(no_license, no_why) x(license_id, why) GROUP BY 3, 5 ORDER BY 3, 5
        ON CONFLICT (organization_id, product_id, license_id, minute, reason)
        DO UPDATE SET count = m.count + excluded.count
        RETURNING m.license_id, m.reason, xmax = 0 AS is_first)
      INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, detail)
      SELECT o, t, 'seat.refused', 2, x.id, nullif(c.license_id, 0), x.id, jsonb_build_object('reason', c.reason)
        FROM counted c CROSS JOIN LATERAL (
          SELECT x.id FROM unnest(no_to, no_license, no_why) x(id, license_id, why)
           WHERE coalesce(x.license_id, 0) = c.license_id AND x.why = c.reason LIMIT 1) x
       WHERE c.is_first;
  END IF;

  -- 9. What the seats carry, and why a newcomer would get none. The earliest end is exact among the 64 that may end first.
  RETURN QUERY SELECT 0, coalesce(r.state, CASE WHEN NOT r.is_open THEN 'seat-not-assigned'
      WHEN r.in_use + r.reserved >= r.seats + r.overdraft THEN 'no-seat-available' END), NULL::text, r.license_id,
    r.license, NULL::smallint, NULL::boolean, NULL::bigint, r.revision, NULL::timestamptz, NULL::timestamptz, t,
    r.lease_seconds, r.grace_seconds, r.ends_at, product.features || r.features, r.seats, r.in_use,
    CASE WHEN r.is_open AND is_full THEN (
      SELECT nullif(min(e.expires_at), 'infinity') FROM (
        SELECT s.expires_at FROM public.seat s WHERE s.license_id = r.license_id
         ORDER BY s.reclaim_at LIMIT 64) e) END, NULL::timestamptz, tenant.config || r.config, NULL::jsonb,
    tenant.revision + product.revision
    FROM public.license_rooms(o, p, t) r;
END $$;

-- Lends the seat that an identity holds; NULL, or what its license has against it. `g`: the revision that it gets.
CREATE FUNCTION seat_lend(o bigint, p bigint, identity bigint, until bigint, t timestamptz, g bigint,
  OUT why text, OUT license_id bigint)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE own public.seat; r record; loan timestamptz := timestamptz 'epoch' + until * interval '1 microsecond';
BEGIN
  SELECT * INTO own FROM public.seat s WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
  SELECT * INTO r FROM public.license_rooms(o, p, t) r WHERE r.license_id = own.license_id;
  license_id := own.license_id;
  why := public.loan_objection(r, until, t);
  IF why IS NULL AND (own.lent_until > t) IS NOT TRUE AND (own.overdraft
      OR public.license_lendable(own.license_id, r.seats, r.unborrowable_seats, t) = 0) THEN
    why := 'no-seat-available';
  END IF;
  IF why IS NULL THEN
    UPDATE public.seat s SET lent_until = greatest(s.lent_until, loan), expires_at = greatest(s.expires_at, loan),
        reclaim_at = greatest(s.reclaim_at, loan), last_seen_at = t, revision = g
     WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
    INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation, detail)
    VALUES (o, t, 'seat.borrowed', 2, identity, own.license_id, identity, own.generation,
      jsonb_build_object('until', greatest(own.lent_until, loan)));
  END IF;
END $$;

-- What a request would be answered now: decided by the same function, and undone.
CREATE FUNCTION seat_preview(o bigint, p bigint, op smallint, identity bigint, generation bigint, asks jsonb)
RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE AS $$
DECLARE answers public.seat_answer[];
BEGIN
  BEGIN
    answers := ARRAY(SELECT d FROM public.seat_decide(o, p, ARRAY[op], ARRAY[identity], ARRAY[generation], asks) d);
    RAISE 'undone' USING ERRCODE = 'U0001';
  EXCEPTION WHEN SQLSTATE 'U0001' THEN NULL;  -- variables keep what they were given
  END;
  RETURN QUERY SELECT * FROM unnest(answers);
END $$;

-- Assigns a seat of one license for good: an admin's act, in the admin's transaction. One row: `granted` (new, or made of
-- a lease), `renewed` (it was assigned already) or the reason of a refusal.
CREATE FUNCTION seat_assign(o bigint, p bigint, license bigint, identity bigint, actor_kind smallint, actor bigint)
RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE t timestamptz; g bigint; own public.seat; room record; result text; is_kept boolean; granted integer;
BEGIN
  SELECT l.t, l.generation INTO t, g FROM public.seat_lock(o, p) l;
  SELECT * INTO room FROM public.license_rooms(o, p, t) r WHERE r.license_id = license;
  SELECT * INTO own FROM public.seat s WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
  IF own.expires_at <= t THEN
    DELETE FROM public.seat s WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
    INSERT INTO public.event (organization_id, at, type, license_id, identity_id, generation)
    VALUES (o, own.expires_at, 'seat.expired', own.license_id, identity, own.generation);
    own := NULL;
  END IF;
  IF room.license_id IS NULL OR room.state = 'license-expired' THEN
    result := 'license-expired';
  ELSIF own.license_id = license THEN
    result := CASE own.kind WHEN 2 THEN 'renewed' ELSE 'granted' END;
    IF own.kind <> 2 THEN
      g := g + 1;
      UPDATE public.seat s SET kind = 2, at_risk = false, revision = g, expires_at = 'infinity', reclaim_at = 'infinity'
       WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
      INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation,
        detail)
      VALUES (o, t, 'seat.assigned', actor_kind, actor, license, identity, own.generation, '{"from": "lease"}');
    END IF;
  ELSIF own.lent_until > t THEN
    result := 'seat-borrowed';  -- elsewhere, and nobody can call it back
  ELSE
    PERFORM public.seat_reclaim(o, p, ARRAY[license], t, 1);
    is_kept := EXISTS (SELECT FROM public.reservation r WHERE r.organization_id = o AND r.product_id = p
      AND r.identity_id = identity AND r.license_id = license);
    SELECT count(*) INTO granted FROM public.seat_grant(o, p, t, g, ARRAY[license], is_kept, ARRAY[1], ARRAY[identity],
      ARRAY[0::bigint], ARRAY[NULL::jsonb], 2::smallint, NULL, actor_kind, actor);
    g := g + granted;
    result := CASE granted WHEN 1 THEN 'granted' ELSE 'no-seat-available' END;
  END IF;
  UPDATE public.license_counter c SET generation = g
   WHERE c.organization_id = o AND c.product_id = p AND c.generation < g;
  IF result = 'granted' THEN
    UPDATE public.seat_loss b SET blocked_until = NULL
     WHERE b.organization_id = o AND b.product_id = p AND b.identity_id = identity AND b.blocked_until IS NOT NULL;
  END IF;
  RETURN QUERY SELECT 1, result, NULL::text, r.license_id, r.license,
    CASE WHEN s.lent_until > t THEN 3::smallint ELSE s.kind END, s.overdraft, s.generation,
    greatest(s.revision, r.revision), s.granted_at, r.ends_at, t, r.lease_seconds, r.grace_seconds, r.ends_at,
    d.features || r.features, r.seats, r.in_use, CASE result WHEN 'no-seat-available' THEN (
      SELECT nullif(min(e.expires_at), 'infinity') FROM (
        SELECT s.expires_at FROM public.seat s WHERE s.license_id = license
         ORDER BY s.reclaim_at LIMIT 64) e) END, CASE WHEN s.lent_until > t THEN s.lent_until END,
    z.config || r.config || i.config, NULL::jsonb, z.revision + d.revision + i.revision
    FROM public.license_rooms(o, p, t) r JOIN public.product d ON d.id = p JOIN public.organization z ON z.id = o
    JOIN public.identity i ON i.organization_id = o AND i.id = identity
    LEFT JOIN public.seat s ON s.organization_id = o AND s.product_id = p AND s.identity_id = identity
      AND s.license_id = r.license_id
   WHERE r.license_id = license;
END $$;

-- Takes seats from identities: an admin's act. `license` NULL: of any license of the product; `identity` NULL: of every
-- holder. With `block_seconds` the identity may not claim a seat of the product before they are over.
--
-- What is lent cannot be taken back: unless `is_forced`, nothing is done and `borrowed_until` says until when. Forced, it
-- is at risk: its holder loses it where it can be reached, and it counts until then all the same.
-- An assigned seat of a license with a cool-down is kept for who had it. `freed`: how many live seats were taken.
CREATE FUNCTION seat_free(o bigint, p bigint, license bigint, identity bigint, block_seconds bigint, is_forced boolean,
  actor_kind smallint, actor bigint, OUT freed bigint, OUT borrowed_until timestamptz)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE t timestamptz; g bigint; lost bigint[]; risked bigint[]; x record;
BEGIN
  SELECT l.t, l.generation INTO t, g FROM public.seat_lock(o, p) l;
  freed := 0;
  SELECT max(s.lent_until) INTO borrowed_until FROM public.seat s
   WHERE s.organization_id = o AND s.product_id = p AND (license IS NULL OR s.license_id = license)
     AND s.identity_id BETWEEN coalesce(identity, 0) AND coalesce(identity, 9223372036854775807) AND s.lent_until > t;
  IF borrowed_until IS NOT NULL AND NOT is_forced THEN RETURN; END IF;
  IF borrowed_until IS NOT NULL THEN
    g := g + 1;
    WITH kept AS (
        UPDATE public.seat s SET kind = 1, at_risk = true, expires_at = s.lent_until, reclaim_at = s.lent_until,
            revision = g
         WHERE s.organization_id = o AND s.product_id = p AND (license IS NULL OR s.license_id = license)
           AND s.identity_id BETWEEN coalesce(identity, 0) AND coalesce(identity, 9223372036854775807)
           AND s.lent_until > t AND NOT s.at_risk RETURNING s.*),
      told AS (
        INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation,
          detail)
        SELECT o, t, 'seat.forfeited', actor_kind, actor, d.license_id, d.identity_id, d.generation,
          jsonb_build_object('until', d.lent_until) FROM kept d)
      SELECT array_agg(d.identity_id) INTO risked FROM kept d;
    UPDATE public.license_counter c SET generation = g WHERE c.organization_id = o AND c.product_id = p;
  END IF;
  FOR x IN
    WITH gone AS (
        DELETE FROM public.seat s
         WHERE s.organization_id = o AND s.product_id = p AND (license IS NULL OR s.license_id = license)
           AND s.identity_id BETWEEN coalesce(identity, 0) AND coalesce(identity, 9223372036854775807)
           AND (s.lent_until > t) IS NOT TRUE
        RETURNING s.license_id, s.identity_id, s.kind, s.generation, s.expires_at, s.expires_at > t AS was_live),
      told AS (
        INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
        SELECT o, least(t, d.expires_at), CASE WHEN d.was_live THEN 'seat.freed' ELSE 'seat.expired' END,
          CASE WHEN d.was_live THEN actor_kind ELSE 0 END, CASE WHEN d.was_live THEN actor END,
          d.license_id, d.identity_id, d.generation FROM gone d),
      past AS (
        INSERT INTO public.seat_loss AS b (organization_id, product_id, identity_id, generation, reason, at)
        SELECT o, p, d.identity_id, d.generation, 1, t FROM gone d WHERE d.was_live
        ON CONFLICT (organization_id, product_id, identity_id)
        DO UPDATE SET generation = excluded.generation, reason = excluded.reason, at = excluded.at)
      SELECT * FROM gone d WHERE d.was_live
  LOOP
    lost := lost || x.identity_id;
    -- Where the license holds less than it has given, there is no seat to keep.
    IF x.kind = 2 AND public.seat_reclaim(o, p, ARRAY[x.license_id], t, 1) > 0 THEN
      INSERT INTO public.reservation AS r (organization_id, product_id, identity_id, license_id, until)
      SELECT o, p, x.identity_id, x.license_id, t + l.reassign_seconds * interval '1 second'
        FROM public.license l
       WHERE l.organization_id = o AND l.id = x.license_id AND l.reassign_seconds > 0 AND l.status < 3
      ON CONFLICT (organization_id, product_id, identity_id, license_id)
      DO UPDATE SET until = greatest(r.until, excluded.until) WHERE r.until IS NOT NULL;
    END IF;
  END LOOP;
  IF block_seconds > 0 AND identity IS NOT NULL THEN
    INSERT INTO public.seat_loss AS b (organization_id, product_id, identity_id, generation, reason, at, blocked_until)
    VALUES (o, p, identity, 0, 1, t, t + block_seconds * interval '1 second')
    ON CONFLICT (organization_id, product_id, identity_id) DO UPDATE SET blocked_until = excluded.blocked_until;
  END IF;
  IF license IS NULL AND identity IS NOT NULL THEN  -- the identity itself goes
    DELETE FROM public.reservation r
     WHERE r.organization_id = o AND r.product_id = p AND r.identity_id = identity AND r.until IS NULL;
  END IF;
  lost := lost || risked;
  freed := coalesce(cardinality(lost), 0);
  IF freed > 0 THEN
    INSERT INTO public.change (kind, organization_id, key, members) VALUES (6, o, p, lost);
  END IF;
END $$;

-- Makes these identities, and no others, those for whom seats of the license are reserved. False, and to be undone, when
-- there is no room: reservations are of plain seats, and of none that somebody holds.
CREATE FUNCTION license_reserve(o bigint, p bigint, license bigint, identities bigint[]) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE t timestamptz; wanted bigint; has_room boolean;
BEGIN
  SELECT l.t INTO t FROM public.seat_lock(o, p) l;
  DELETE FROM public.reservation r WHERE r.organization_id = o AND r.product_id = p AND r.license_id = license
    AND r.until IS NULL AND r.identity_id <> ALL (identities);
  UPDATE public.reservation r SET until = NULL WHERE r.organization_id = o AND r.product_id = p
    AND r.license_id = license AND r.until IS NOT NULL AND r.identity_id = ANY (identities);
  PERFORM public.seat_reclaim(o, p, ARRAY[license], t, cardinality(identities));
  SELECT count(*) INTO wanted FROM unnest(identities) x(id)
   WHERE NOT EXISTS (SELECT FROM public.reservation r WHERE r.organization_id = o AND r.product_id = p
       AND r.identity_id = x.id AND r.license_id = license)
     AND NOT EXISTS (SELECT FROM public.seat s WHERE s.organization_id = o AND s.product_id = p
       AND s.identity_id = x.id AND s.license_id = license);
  SELECT wanted = 0 OR c.in_use + c.reserved + wanted <= c.seats INTO has_room FROM public.license_counter c
   WHERE c.organization_id = o AND c.product_id = p AND c.license_id = license;
  IF has_room THEN
    INSERT INTO public.reservation (organization_id, product_id, identity_id, license_id)
    SELECT o, p, x.id, license FROM unnest(identities) x(id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN has_room;
END $$;

-- Writes a license's limits, under the lock of its seats, and moves the clock: its seats are not what they were.
CREATE FUNCTION license_limit(o bigint, p bigint, license bigint, seats integer, overdraft integer,
  overdraft_until timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE locked record;
BEGIN
  SELECT * INTO locked FROM public.seat_lock(o, p);
  UPDATE public.license_counter c SET generation = locked.generation + 1,
      revision = CASE c.license_id WHEN license THEN locked.generation + 1 ELSE c.revision END,
      seats = CASE c.license_id WHEN license THEN license_limit.seats ELSE c.seats END,
      overdraft = CASE c.license_id WHEN license THEN license_limit.overdraft ELSE c.overdraft END,
      overdraft_until = CASE c.license_id WHEN license THEN license_limit.overdraft_until ELSE c.overdraft_until END
   WHERE c.organization_id = o AND c.product_id = p;
END $$;

-- Drops what has ended, of every product in turn, each in a transaction of its own: nothing depends on it, but what
-- nobody asks for any more would stay for good. How many rows were dropped.
CREATE FUNCTION seat_expire(o bigint, p bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE locked record;
BEGIN
  SELECT * INTO locked FROM public.seat_lock(o, p);
  RETURN public.seat_sweep(o, p, locked.licenses, locked.t, 4096);
END $$;

-- A license as the server reads it. `held`: unexpired seats, whether or not the expired ones have been dropped;
-- `reserved`: seats kept for someone who holds none. `seat_limit`: with the overdraft while it lasts.
CREATE VIEW license_state AS
  SELECT l.id, l.public_id, l.external_id, l.metadata, l.created_at, l.updated_at, l.revision, l.organization_id,
    l.product_id, p.code AS product_code, l.model, l.assignment, l.status, c.seats, c.overdraft, l.lease_seconds,
    l.grace_seconds, l.starts_at, l.ends_at, l.features, c.overdraft_until, l.max_borrow_seconds, l.unborrowable_seats,
    l.reassign_seconds, l.config, c.in_use - d.dead AS held, c.reserved + d.idle - k.over AS reserved,
    c.seats + CASE WHEN c.overdraft_until <= n.t THEN 0 ELSE c.overdraft END AS seat_limit
  FROM license l
  JOIN license_counter c
    ON c.organization_id = l.organization_id AND c.product_id = l.product_id AND c.license_id = l.id
  JOIN product p ON p.id = l.product_id
  CROSS JOIN LATERAL (SELECT greatest(statement_timestamp(), c.last_at) AS t) n
  CROSS JOIN LATERAL (SELECT count(*) AS dead, count(*) FILTER (WHERE s.reserved AND NOT EXISTS (
        SELECT FROM reservation r WHERE r.organization_id = s.organization_id AND r.product_id = s.product_id
          AND r.identity_id = s.identity_id AND r.license_id = s.license_id AND r.until <= n.t)) AS idle
      FROM seat s WHERE s.license_id = c.license_id AND s.reclaim_at <= n.t AND s.expires_at <= n.t) d
  CROSS JOIN LATERAL (SELECT count(*) AS over FROM reservation r
      WHERE r.license_id = c.license_id AND r.until IS NOT NULL AND r.until <= n.t
        AND NOT EXISTS (SELECT FROM seat s WHERE s.organization_id = r.organization_id AND s.product_id = r.product_id
          AND s.identity_id = r.identity_id AND s.license_id = r.license_id)) k;

-- An unexpired seat as the server reads it. `in_force`: its license is, and it was not taken from its holder.
CREATE VIEW seat_state AS
  SELECT s.organization_id, s.product_id, p.code AS product_code, s.identity_id, i.name AS identity_name,
    i.public_id AS identity, s.license_id, l.public_id AS license,
    CASE WHEN s.lent_until > n.t THEN 3::smallint ELSE s.kind END AS kind, s.generation,
    greatest(s.revision, c.revision) + o.revision + p.revision + coalesce(i.revision, 0) AS revision, s.granted_at,
    nullif(least(s.expires_at, l.ends_at), 'infinity') AS expires_at, l.lease_seconds, l.grace_seconds, s.overdraft,
    p.features || l.features AS features, l.ends_at, n.t AS stated_at, s.last_seen_at,
    o.config || l.config || coalesce(i.config::jsonb, '{}') AS config,
    CASE WHEN s.lent_until > n.t THEN s.lent_until END AS lent_until, s.at_risk,
    l.status = 1 AND coalesce(l.starts_at <= n.t, true) AND coalesce(l.ends_at > n.t, true) AND NOT s.at_risk AS in_force
  FROM seat s
  JOIN license l ON l.organization_id = s.organization_id AND l.id = s.license_id
  JOIN license_counter c
    ON c.organization_id = s.organization_id AND c.product_id = s.product_id AND c.license_id = s.license_id
  JOIN product p ON p.id = s.product_id
  JOIN organization o ON o.id = s.organization_id
  LEFT JOIN identity i ON i.organization_id = s.organization_id AND i.id = s.identity_id
  CROSS JOIN LATERAL (SELECT greatest(statement_timestamp(), c.last_at) AS t) n
  WHERE s.expires_at > n.t;

-- What happened to a license minute by minute, in [since, past): minutes without a row are as the last one before them
-- ended, and the first row says what the period began with. Exact although expired seats may not have been dropped yet:
-- those are taken out of the minutes since their end.
CREATE FUNCTION license_usage(o bigint, p bigint, license bigint, since timestamptz, past timestamptz)
RETURNS TABLE (minute timestamptz, peak bigint, final bigint, grants bigint, denials jsonb)
LANGUAGE sql STABLE AS $$
  WITH dead AS MATERIALIZED (
      SELECT date_trunc('minute', s.expires_at) AS minute, count(*) AS count FROM public.seat s
       WHERE s.license_id = license AND s.reclaim_at <= statement_timestamp() AND s.expires_at <= statement_timestamp()
       GROUP BY 1),
    refused AS MATERIALIZED (
      SELECT d.minute, jsonb_object_agg(d.reason, d.count) AS reasons FROM public.denial_minute d
       WHERE d.organization_id = o AND d.product_id = p AND d.license_id = license
         AND d.minute >= date_trunc('minute', since) AND d.minute < past GROUP BY 1),
    told AS (
      SELECT m.minute FROM public.usage_minute m WHERE m.organization_id = o AND m.license_id = license
         AND m.minute >= date_trunc('minute', since) AND m.minute < past
      UNION SELECT d.minute FROM dead d WHERE d.minute >= date_trunc('minute', since) AND d.minute < past
      UNION SELECT r.minute FROM refused r
      UNION SELECT date_trunc('minute', since) WHERE since > 'epoch'),
    stated AS (
      SELECT t.minute, coalesce(CASE WHEN m.minute = t.minute THEN m.peak ELSE m.final END, 0) AS peak,
        coalesce(m.final, 0) AS final, CASE WHEN m.minute = t.minute THEN m.grants ELSE 0 END AS grants
      FROM told t LEFT JOIN LATERAL (
        SELECT * FROM public.usage_minute m WHERE m.organization_id = o AND m.license_id = license
           AND m.minute <= t.minute ORDER BY m.minute DESC LIMIT 1) m ON true)
  SELECT s.minute, s.peak - coalesce((SELECT sum(d.count) FROM dead d WHERE d.minute < s.minute), 0)::bigint,
    s.final - coalesce((SELECT sum(d.count) FROM dead d WHERE d.minute <= s.minute), 0)::bigint, s.grants::bigint,
    coalesce(r.reasons, '{}')
  FROM stated s LEFT JOIN refused r ON r.minute = s.minute
$$;
