-- A batch in which everybody is believed to hold a seat: heartbeats, which are nearly all that devices ask. A renewal is
-- written where it is found, by one statement, instead of being found, sorted into what becomes of it, and found again.

-- Renews the seats that are live, of a license in force, and held by somebody whom nothing speaks against; a generation of 0
-- stands for any. Whoever has no row in the answer is for `seat_decide` to judge: nothing was done for them.
CREATE FUNCTION seat_renew(o bigint, p bigint, identities bigint[], generations bigint[]) RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE
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

  -- As step 3 of `seat_decide`. OFFSET 0: the people are looked up one by one, in the order of the requests.
  RETURN QUERY UPDATE public.seat s SET last_seen_at = t,
      expires_at = greatest(s.expires_at, least(t + leases[array_position(licenses, s.license_id)],
        ends[array_position(licenses, s.license_id)])),
      reclaim_at = CASE WHEN s.reclaim_at < t + leases[array_position(licenses, s.license_id)] / 2
        THEN greatest(s.expires_at, least(t + leases[array_position(licenses, s.license_id)],
          ends[array_position(licenses, s.license_id)])) ELSE s.reclaim_at END
    FROM (SELECT o AS o, p AS p, x.id, x.generation, x.i::integer
            FROM unnest(identities, generations) WITH ORDINALITY x(id, generation, i) OFFSET 0) x
    CROSS JOIN LATERAL (SELECT d.revision, d.config::jsonb AS config FROM public.identity d
      WHERE d.organization_id = x.o AND d.id = x.id AND d.status = 1 OFFSET 0) d
   WHERE s.organization_id = x.o AND s.product_id = x.p AND s.identity_id = x.id
     AND s.expires_at > t AND NOT s.at_risk AND s.license_id = ANY (licenses)
     AND (x.generation = 0 OR s.generation = x.generation)
  RETURNING x.i, 'renewed', NULL::text, s.license_id, NULL::uuid,
    CASE WHEN s.lent_until > t THEN 3::smallint ELSE s.kind END, s.overdraft, s.generation, s.revision,
    s.granted_at, nullif(least(s.expires_at, ends[array_position(licenses, s.license_id)]), 'infinity'), t,
    NULL::integer, NULL::integer, NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz,
    CASE WHEN s.lent_until > t THEN s.lent_until END,
    CASE WHEN d.config <> '{}' THEN bases[array_position(licenses, s.license_id)] || d.config END, NULL::jsonb,
    d.revision;

  RETURN QUERY SELECT 0, NULL::text, NULL::text, r.license_id, r.license, NULL::smallint, NULL::boolean, NULL::bigint,
    r.revision, NULL::timestamptz, NULL::timestamptz, t, r.lease_seconds, r.grace_seconds, r.ends_at,
    product.features || r.features, r.seats, r.in_use, NULL::timestamptz, NULL::timestamptz,
    tenant.config || r.config, NULL::jsonb, tenant.revision + product.revision
    FROM public.license_rooms(o, p, t) r;
END $$;
