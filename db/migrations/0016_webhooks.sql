-- Where an organization's events are sent. The outbox is the chain of sealed events: a webhook is a position in it.

CREATE TABLE webhook (
  organization_id  bigint NOT NULL REFERENCES organization,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  public_id        uuid NOT NULL UNIQUE,
  external_id      text,
  metadata         string_map,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  revision         bigint NOT NULL DEFAULT 1,
  url              text NOT NULL,
  types            text[] NOT NULL,                     -- empty: all; `seat.*` is every one of a resource
  status           smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 3),            -- active, suspended, deleted
  sealed_secret    bytea NOT NULL,
  earlier_secret   bytea,                               -- signs beside it until then
  earlier_until    timestamptz,
  position         bigint NOT NULL,                     -- up to here everything was delivered, passed over or given up
  attempts         integer NOT NULL DEFAULT 0,          -- at the event that follows
  attempt_at       timestamptz NOT NULL DEFAULT now(),  -- not before
  busy_until       timestamptz,                         -- a server is at it
  last_error       text,                                -- of the last attempt; NULL when it succeeded
  PRIMARY KEY (organization_id, id),
  CHECK ((earlier_secret IS NULL) = (earlier_until IS NULL))
);
CREATE UNIQUE INDEX webhook_external_id ON webhook (organization_id, external_id) WHERE status < 3;
CREATE TRIGGER touch BEFORE UPDATE OF external_id, metadata, url, types, status, sealed_secret ON webhook
  FOR EACH ROW EXECUTE FUNCTION touch();

-- What was given up after the last attempt.
CREATE TABLE webhook_dead_letter (
  organization_id  bigint NOT NULL,
  webhook_id       bigint NOT NULL,
  position         bigint NOT NULL,
  attempts         integer NOT NULL,
  error            text NOT NULL,
  at               timestamptz NOT NULL,
  PRIMARY KEY (organization_id, webhook_id, position),
  FOREIGN KEY (organization_id, webhook_id) REFERENCES webhook
);
