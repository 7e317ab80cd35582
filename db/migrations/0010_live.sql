-- A device that waits for a change of its seat must hear of it: a seat that is no longer what it was, other than by a
-- renewal (which leaves `revision` alone), is told as a lost one is, and whoever has it in memory looks again. The trigger
-- is of that column alone, so that renewals do not pay for it.
CREATE FUNCTION seat_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.change (kind, organization_id, key, members)
  VALUES (6, NEW.organization_id, NEW.product_id, ARRAY[NEW.identity_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER seat_changed AFTER UPDATE OF revision ON seat
  FOR EACH ROW WHEN (NEW.revision > OLD.revision) EXECUTE FUNCTION seat_changed();
