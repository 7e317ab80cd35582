-- A renewal finds its seat by the seat's key, whatever the planner believes. Joined to the requests, the seats of a license
-- were read by the license's index where licenses are small on the average, and compared with every request: all 100,000 of
-- a large one.

-- As before; but seats are found one by one (OFFSET 0), as in `seat_decide`, and written where they lie.
CREATE OR REPLACE FUNCTION seat_renew(o bigint, p bigint, identities bigint[], generations bigint[])
RETURNS SETOF seat_answer LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  t timestamptz; tenant public.organization; product public.product;
  licenses bigint[]; leases interval[]; ends timestamptz[]; bases jsonb[];
BEGIN
  SELECT l.t INTO t FROM public.seat_lock(o, p) l;
  SELECT * INTO tenant FROM public.organization d WHERE d.id = o;
  IF tenant.status IS DISTINCT FROM 1 THEN RETURN; END IF;
  SELECT * INTO product FROM public.product d WHERE d.id = p;
  SELECT array_agg(r.license_id), array_agg(r.lease_seconds * interval '1 second'), array_agg(r.ends_at),
      array_agg(tenant.config || r.config)
    INTO licenses, leases, ends, bases FROM public.license_rooms(o, p, t) r WHERE r.state IS NULL;

  -- As step 3 of `seat_decide`. A seat that is not where it was, somebody wrote by hand: it has no row, and is judged.
  RETURN QUERY UPDATE public.seat s SET last_seen_at = t, expires_at = h.later,
      reclaim_at = CASE WHEN s.reclaim_at < t + leases[h.n] / 2 THEN h.later ELSE s.reclaim_at END
    FROM (SELECT o AS o, p AS p, x.id, x.generation, x.i::integer
            FROM unnest(identities, generations) WITH ORDINALITY x(id, generation, i) OFFSET 0) x
    CROSS JOIN LATERAL (SELECT d.revision, d.config::jsonb AS config FROM public.identity d
      WHERE d.organization_id = x.o AND d.id = x.id AND d.status = 1 OFFSET 0) d
    CROSS JOIN LATERAL (SELECT v.spot, v.n, greatest(v.expires_at, least(t + leases[v.n], ends[v.n])) AS later
      FROM (SELECT s.ctid AS spot, s.expires_at, array_position(licenses, s.license_id) AS n FROM public.seat s
        WHERE s.organization_id = x.o AND s.product_id = x.p AND s.identity_id = x.id AND s.expires_at > t
          AND NOT s.at_risk AND (x.generation = 0 OR s.generation = x.generation) OFFSET 0) v
      WHERE v.n IS NOT NULL OFFSET 0) h
   WHERE s.ctid = h.spot
  RETURNING x.i, 'renewed', NULL::text, s.license_id, NULL::uuid,
    CASE WHEN s.lent_until > t THEN 3::smallint ELSE s.kind END, s.overdraft, s.generation, s.revision,
    s.granted_at, nullif(least(h.later, ends[h.n]), 'infinity'), t,
    NULL::integer, NULL::integer, NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz,
    CASE WHEN s.lent_until > t THEN s.lent_until END,
    CASE WHEN d.config <> '{}' THEN bases[h.n] || d.config END, NULL::jsonb, d.revision;

  RETURN QUERY SELECT 0, NULL::text, NULL::text, r.license_id, r.license, NULL::smallint, NULL::boolean, NULL::bigint,
    r.revision, NULL::timestamptz, NULL::timestamptz, t, r.lease_seconds, r.grace_seconds, r.ends_at,
    product.features || r.features, r.seats, r.in_use, NULL::timestamptz, NULL::timestamptz,
    tenant.config || r.config, NULL::jsonb, tenant.revision + product.revision
    FROM public.license_rooms(o, p, t) r;
END $$;
