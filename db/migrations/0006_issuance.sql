-- What is issued and by whom: profiles, the line of a device's certificates, authorities under an organization's own root,
-- and where the keys of authorities are.

ALTER TABLE organization
  ADD leaf_seconds          bigint NOT NULL DEFAULT 2592000 CHECK (leaf_seconds BETWEEN 60 AND 315360000),
  ADD renew_before_seconds  bigint CHECK (renew_before_seconds BETWEEN 0 AND 315360000),   -- NULL: a third of its life
  ADD overlap_seconds       bigint NOT NULL DEFAULT 2592000 CHECK (overlap_seconds BETWEEN 0 AND 315360000),
  ADD key_types             text[] CHECK (cardinality(key_types) > 0),                     -- NULL: all that are strong
  ADD subject               smallint NOT NULL DEFAULT 1 CHECK (subject IN (1, 2));         -- the identity's name, none

ALTER TABLE authority
  ADD request      bytea,                               -- PKCS#10, DER: what an organization's root is to sign
  ADD key_uri      text,                                -- RFC 7512: the key is in a token, not here
  -- Which key sealed it: `usher rekey` looks for the others.
  ADD sealing_key  text GENERATED ALWAYS AS (encode(substr(sealed_key, 2, 8), 'hex')) STORED,
  ADD CHECK (num_nonnulls(sealed_key, key_uri) < 2),
  ADD CHECK (kind <> 2 OR key_uri IS NULL);

ALTER TABLE certificate
  ADD predecessor_id  bigint,                           -- by whose right it was issued
  ADD enrollment_id   bigint,                           -- or by which token
  ADD used_at         timestamptz,                      -- when a successor was first presented: it ends its predecessor's right
  ADD FOREIGN KEY (organization_id, predecessor_id) REFERENCES certificate,
  ADD FOREIGN KEY (organization_id, enrollment_id) REFERENCES enrollment;
CREATE INDEX certificate_predecessor ON certificate (predecessor_id, id) WHERE predecessor_id IS NOT NULL;
-- Other servers need not hear that a certificate was used.
DROP TRIGGER announce ON certificate;
CREATE TRIGGER announce AFTER UPDATE OF status ON certificate FOR EACH ROW
  EXECUTE FUNCTION announce('4', 'organization_id', 'id');

-- One key, one identity: whoever comes second waits for the first and is refused.
CREATE FUNCTION certificate_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('certificate key ' || encode(NEW.spki_sha256, 'hex'), NEW.organization_id));
  IF EXISTS (SELECT FROM public.certificate c WHERE c.spki_sha256 = NEW.spki_sha256
             AND c.organization_id = NEW.organization_id AND c.identity_id <> NEW.identity_id) THEN
    RAISE 'another identity has a certificate over this key'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'certificate_key_holder';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER certificate_key BEFORE INSERT ON certificate FOR EACH ROW WHEN (NEW.source = 1)
  EXECUTE FUNCTION certificate_key();

CREATE OR REPLACE VIEW certificate_state AS
  SELECT c.id, c.organization_id, c.authority_id, a.public_id AS authority, c.identity_id, i.public_id AS identity,
    c.der, c.serial, c.fingerprint, c.spki_sha256, c.not_before, c.not_after, c.source, c.status, c.revoked_at, c.reason,
    c.created_at, c.predecessor_id, c.enrollment_id, c.used_at
  FROM certificate c
  JOIN authority a ON a.organization_id = c.organization_id AND a.id = c.authority_id
  JOIN identity i ON i.organization_id = c.organization_id AND i.id = c.identity_id;
