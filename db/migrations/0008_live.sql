-- What a device that waits for a change of its seat must hear of.

-- A seat that is no longer what it was, other than by a renewal (which leaves `revision` alone), is told as a lost one is:
-- whoever holds it in memory looks again. The trigger is of that column alone, so that renewals do not pay for it.
CREATE FUNCTION seat_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.change (kind, organization_id, key, members)
  VALUES (6, NEW.organization_id, NEW.product_id, ARRAY[NEW.identity_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER seat_changed AFTER UPDATE OF revision ON seat
  FOR EACH ROW WHEN (NEW.revision > OLD.revision) EXECUTE FUNCTION seat_changed();

-- A product's features are part of its seats: their clocks move, one organization after the other.
CREATE FUNCTION product_features_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE tenant bigint; locked record;
BEGIN
  FOR tenant IN SELECT DISTINCT l.organization_id FROM public.license l WHERE l.product_id = NEW.id ORDER BY 1 LOOP
    SELECT * INTO locked FROM public.seat_lock(tenant, NEW.id);
    UPDATE public.license_counter c
       SET generation = locked.generation + 1, revision = locked.generation + 1, last_at = locked.t
     WHERE c.organization_id = tenant AND c.product_id = NEW.id;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER features_changed AFTER UPDATE OF features ON product
  FOR EACH ROW WHEN (NEW.features::jsonb <> OLD.features::jsonb) EXECUTE FUNCTION product_features_changed();
