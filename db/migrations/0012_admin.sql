-- What the admin API keeps besides: who acted by which certificate, and the first token of an organization.

-- The certificate that an admin identity showed. The transaction says it once (`usher.certificate`), whoever writes the
-- rows; a connection that never said it has no such setting, one that did has an empty one afterwards.
ALTER TABLE event ADD COLUMN actor_certificate_id bigint;
ALTER TABLE event ALTER COLUMN actor_certificate_id
  SET DEFAULT nullif(current_setting('usher.certificate', true), '')::bigint;

-- A person can be erased: a revoked certificate keeps its number, its digests and its times, and what names someone (the
-- encoding) is emptied. In everything else the trigger is as it was.
DROP TRIGGER certificate_pinned ON certificate;
CREATE TRIGGER certificate_pinned BEFORE UPDATE ON certificate FOR EACH ROW
  WHEN ((OLD.organization_id, OLD.id, OLD.authority_id, OLD.identity_id, OLD.serial, OLD.fingerprint, OLD.spki_sha256,
         OLD.not_before, OLD.not_after, OLD.source)
     IS DISTINCT FROM
        (NEW.organization_id, NEW.id, NEW.authority_id, NEW.identity_id, NEW.serial, NEW.fingerprint, NEW.spki_sha256,
         NEW.not_before, NEW.not_after, NEW.source)
     OR OLD.der = NEW.der AND OLD.status = 2 AND (OLD.listed_by IS NULL OR NEW.status = 2)
     OR OLD.der <> NEW.der AND (NEW.der <> '' OR OLD.status = 1 OR (OLD.status, OLD.revoked_at, OLD.reason, OLD.listed_by)
                                  IS DISTINCT FROM (NEW.status, NEW.revoked_at, NEW.reason, NEW.listed_by)))
  EXECUTE FUNCTION certificate_pinned();

-- A right to make the first admin token of an organization, used once.
CREATE TABLE setup_token (
  organization_id  bigint NOT NULL REFERENCES organization,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  public_id        uuid NOT NULL,
  token_hash       bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  name             text NOT NULL,                       -- of the token to be
  expires_at       timestamptz NOT NULL,
  used_at          timestamptz,
  PRIMARY KEY (organization_id, id)
);
