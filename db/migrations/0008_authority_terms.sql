-- Some CAs never state an extended key usage: an authority may allow that, and only that.
ALTER TABLE authority
  ADD allow_missing_client_auth  boolean NOT NULL DEFAULT false,
  ADD CHECK (kind = 2 OR NOT allow_missing_client_auth);
