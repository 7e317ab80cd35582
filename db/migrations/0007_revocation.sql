-- Revocation as others see it: the lists that we sign, and those that an organization's own CAs sign.

-- Which transaction revoked it, by which a list knows whether it names it already: a time would not do, since commits
-- come in another order.
ALTER TABLE certificate ADD revoked_xid xid8;
CREATE FUNCTION certificate_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revoked_xid := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER certificate_revoked BEFORE UPDATE OF status ON certificate FOR EACH ROW
  WHEN (OLD.status = 1 AND NEW.status = 2) EXECUTE FUNCTION certificate_revoked();
CREATE INDEX certificate_revoked ON certificate (authority_id, id) WHERE status = 2;
CREATE INDEX certificate_revoked_xid ON certificate (authority_id, revoked_xid) WHERE status = 2;

CREATE TABLE revocation_list (
  organization_id  bigint NOT NULL,
  authority_id     bigint NOT NULL,
  issuer           bytea NOT NULL CHECK (octet_length(issuer) = 32),  -- SHA-256 of the key that signed it: the anchor's
                                                                      -- own, or that of an intermediate
  created_at       timestamptz NOT NULL DEFAULT now(),
  number           bytea NOT NULL CHECK (octet_length(number) BETWEEN 1 AND 20),  -- big-endian, no zeros before it
  this_update      timestamptz NOT NULL,
  next_update      timestamptz NOT NULL,
  snapshot         pg_snapshot,                       -- ours: it names the revocations that this snapshot sees
  certificate      bytea,                             -- an external CA's: DER, by which the list was believed
  der              bytea NOT NULL,
  PRIMARY KEY (organization_id, authority_id, issuer),
  FOREIGN KEY (organization_id, authority_id) REFERENCES authority,
  CHECK (num_nonnulls(snapshot, certificate) = 1)
);
-- Serial numbers are random: compressing them is work for nothing.
ALTER TABLE revocation_list ALTER der SET STORAGE EXTERNAL;

-- A list replaces one with a smaller number, and nothing else ever does.
CREATE FUNCTION revocation_list_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE 'a revocation list must have a greater number than the one before' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER revocation_list_forward BEFORE UPDATE OF number, der ON revocation_list FOR EACH ROW
  WHEN ((octet_length(NEW.number), NEW.number) <= (octet_length(OLD.number), OLD.number))
  EXECUTE FUNCTION revocation_list_forward();

-- What the lists of external CAs name: looked up when a certificate is first seen, and with each list for all that were.
CREATE TABLE revoked_serial (
  organization_id  bigint NOT NULL,
  authority_id     bigint NOT NULL,
  issuer           bytea NOT NULL,
  serial           text NOT NULL,
  revoked_at       timestamptz NOT NULL,
  reason           smallint NOT NULL CHECK (reason BETWEEN 0 AND 10),
  PRIMARY KEY (organization_id, authority_id, issuer, serial)
);
ALTER TABLE revoked_serial ALTER COLUMN organization_id SET STATISTICS 0;
CREATE INDEX revoked_serial_serial ON revoked_serial (authority_id, serial);

-- By whose list a certificate was revoked. What a list revoked, a later one can take back: a certificate on hold.
ALTER TABLE certificate ADD listed_by bytea;
DROP TRIGGER certificate_pinned ON certificate;
CREATE TRIGGER certificate_pinned BEFORE UPDATE ON certificate FOR EACH ROW
  WHEN ((OLD.organization_id, OLD.id, OLD.authority_id, OLD.identity_id, OLD.serial, OLD.fingerprint, OLD.spki_sha256,
         OLD.not_before, OLD.not_after, OLD.source, OLD.der)
     IS DISTINCT FROM
        (NEW.organization_id, NEW.id, NEW.authority_id, NEW.identity_id, NEW.serial, NEW.fingerprint, NEW.spki_sha256,
         NEW.not_before, NEW.not_after, NEW.source, NEW.der)
     OR OLD.status = 2 AND (OLD.listed_by IS NULL OR NEW.status = 2))
  EXECUTE FUNCTION certificate_pinned();
