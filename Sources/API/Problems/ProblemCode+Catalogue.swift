extension ProblemCode {
  /// The catalogue: status, title, meaning and remedy of every code.
  public var entry: ProblemEntry {
    switch self {
    case .malformedRequest:
      ProblemEntry(
        400, "The request is not valid HTTP", "The bytes received are not a well-formed HTTP/1.1 request.",
        "Correct the client or the proxy before it; the connection has been closed.")
    case .malformedJSON:
      ProblemEntry(
        400, "The body is not valid JSON", "The body could not be read as one JSON object in UTF-8.",
        "Correct the body where the detail says and send it again.")
    case .invalid:
      ProblemEntry(
        422, "The request does not hold together",
        "The request was read, but a member of its body or a query parameter is missing, unknown, of the wrong type or out of range.",
        "Correct the places listed in “errors” and send it again.")
    case .unsupportedMediaType:
      ProblemEntry(
        415, "The media type is not supported", "The body's Content-Type is none that this call takes.",
        "Send the type that the “Accept” header of this answer names.")
    case .bodyTooLarge:
      ProblemEntry(
        413, "The body is too large", "The body is larger than this server takes (64 KiB unless configured).",
        "Send less, or split the work into several requests.")
    case .targetTooLong:
      ProblemEntry(
        414, "The request line is too long",
        "Method, path and query together are longer than this server takes.",
        "Shorten the query.")
    case .headerTooLarge:
      ProblemEntry(
        431, "The header section is too large",
        "There are more header fields, or larger ones, than this server takes.",
        "Send fewer or shorter header fields; cookies are never needed here.")
    case .expectationFailed:
      ProblemEntry(
        417, "The expectation is not supported", "The only expectation this server knows is “100-continue”.",
        "Leave the “Expect” header out.")
    case .requestTimeout:
      ProblemEntry(
        408, "The request took too long to arrive", "The whole request did not arrive in time.",
        "Send it again on a new connection.")
    case .misdirectedRequest:
      ProblemEntry(
        421, "The request came to the wrong host",
        "The Host header and the name asked for in the TLS handshake differ, or the organization has a host name of its own.",
        "Open a new connection to the host that the request names.")
    case .notImplemented:
      ProblemEntry(
        501, "Not implemented",
        "The request asks for something that this server does not do, such as an unknown transfer coding.",
        "Send the request without it.")
    case .versionNotSupported:
      ProblemEntry(
        505, "The HTTP version is not supported", "This server speaks HTTP/1.1.", "Use HTTP/1.1.")
    case .notFound:
      ProblemEntry(
        404, "Not found",
        "There is no such path or resource, or it belongs to an organization that is not yours: the answer is the same.",
        "Check the path, the organization's slug and the id.")
    case .methodNotAllowed:
      ProblemEntry(
        405, "The method is not allowed here", "The path exists, but not with this method.",
        "Use one of the methods in the “Allow” header.")
    case .preconditionFailed:
      ProblemEntry(
        412, "Someone else has changed it", "The resource no longer has the ETag that “If-Match” names.",
        "Read it again, apply your change to what it now is, and send that with its new ETag.")
    case .requestInProgress:
      ProblemEntry(
        409, "The same request is still running",
        "Another request with this Idempotency-Key has not ended yet.",
        "Wait a moment and send it again: the answer will be the one of the first.")
    case .idempotencyKeyReused:
      ProblemEntry(
        422, "The Idempotency-Key was used for another request",
        "This Idempotency-Key has been used within the last 24 hours with another body.",
        "Use a new key for every new request.")
    case .rateLimited:
      ProblemEntry(
        429, "Too many requests", "Requests come faster than this server allows for you.",
        "Wait for the seconds in “Retry-After”.")

    case .tokenInvalid:
      ProblemEntry(
        401, "The token is not valid",
        "There is no API token in the request, or it is malformed, unknown, expired or revoked.",
        "Send “Authorization: Bearer <token>” with a live token; your administrator can make one.")
    case .enrollmentInvalid:
      ProblemEntry(
        401, "The enrollment token is not valid",
        "The enrollment token is missing, unknown, expired, revoked or spent; which of these is not said.",
        "Ask your administrator for a new enrollment.")
    case .forbidden:
      ProblemEntry(
        403, "Your role does not permit this", "The token is good, but its role is not enough for this call.",
        "Use a token of the role that the detail names.")

    case .alreadyExists:
      ProblemEntry(
        409, "It already exists", "Another resource has this name, code or external id.",
        "Choose another, or change the one that exists.")
    case .organizationInUse:
      ProblemEntry(
        409, "The organization still holds seats",
        "An organization cannot be deleted while seats of its licenses are held.",
        "Suspend it, wait for the leases to end or free the seats, and delete it then.")
    case .productInUse:
      ProblemEntry(
        409, "Licenses are of this product",
        "A product cannot be deleted while any license, even an ended one, is of it.",
        "Keep the product; licenses keep what they were sold for.")
    case .seatsInUse:
      ProblemEntry(
        409, "More seats are held than that",
        "The change would leave the license with fewer seats than are held now.",
        "Free seats first, or add “?mode=drain” to a PATCH: then nobody loses a seat at once, and none is given until there is room."
      )
    case .serialAmbiguous:
      ProblemEntry(
        409, "Two certificates have this serial number",
        "Several authorities of the organization have used this serial number.",
        "Name the certificate by its SHA-256 fingerprint.")

    case .csrInvalid:
      ProblemEntry(
        422, "The certification request is not acceptable",
        "The PKCS#10 request cannot be read, its signature is wrong, its key is too weak, or it asks for what no device gets.",
        "Correct what the detail says; your enrollment has not been spent.")
    case .crlInvalid:
      ProblemEntry(
        422, "The revocation list is not acceptable",
        "The list cannot be read, is not complete, is not newer than the last one, or no CA of this authority signed it.",
        "Upload the complete list that the CA itself publishes; nothing was changed.")
    case .keyInUse:
      ProblemEntry(
        409, "The key is in use", "A certificate of another identity carries this public key.",
        "Make a new key on this device: keys are never shared or copied.")
    case .noIssuingAuthority:
      ProblemEntry(
        409, "Nobody can sign", "The organization has no active authority whose key this service holds.",
        "Create a managed authority, or finish a pending subordinate one.")
    case .proofInvalid:
      ProblemEntry(
        422, "The proof certificate does not prove it",
        "The certificate is not signed directly by the authority's key with the challenge as its common name, or the challenge is over.",
        "Sign a certificate whose subject CN is the authority's “challenge”, within 24 hours.")
    case .authorityKeyInUse:
      ProblemEntry(
        409, "The authority's key is taken",
        "This CA key is registered already, here or by another organization.",
        "Use the authority that exists, or another CA key; ask the operator when you believe the other claim is false."
      )
    case .authorityInUse:
      ProblemEntry(
        409, "The authority has living certificates",
        "An authority cannot be deleted while certificates it signed are valid.",
        "Retire it, and delete it when the last certificate has ended or is revoked.")
    case .authorityExternal:
      ProblemEntry(
        409, "Your organization's own CA issues these certificates",
        "The certificate comes from an external authority; this service cannot renew it.",
        "Renew it where it came from (your MDM or PKI).")

    case .certificateSuperseded:
      ProblemEntry(
        409, "The certificate has a successor",
        "This certificate was renewed, and its successor was used or the time to fetch it again is over.",
        "Renew with the successor; if it is lost, enroll again."
      )

    case .noSeatAvailable:
      ProblemEntry(
        409, "All seats are taken", "Every seat of the license is held by someone.",
        "Try again after the seconds in “Retry-After”, or ask your administrator to free or buy a seat.")
    case .seatBlocked:
      ProblemEntry(
        409, "The seat was taken away for a while",
        "An administrator freed this identity's seat and blocked it from claiming again.",
        "Try again after “Retry-After”, or ask your administrator.")
    case .seatNotAssigned:
      ProblemEntry(
        409, "No seat is assigned to this identity",
        "The license is for named identities, and this is none of them.",
        "Ask your administrator to assign a seat.")
    case .notPermitted:
      ProblemEntry(
        409, "This identity may not have a seat", "The license's rules exclude this identity.",
        "Ask your administrator.")
    case .borrowOutOfRange:
      ProblemEntry(
        422, "A seat is not lent until then",
        "The time is past, or further away than the license lends a seat or lasts.",
        "Ask for an earlier time.")
    case .borrowNotPermitted:
      ProblemEntry(
        409, "Seats are not lent", "The license does not allow its seats to be borrowed.",
        "Stay connected, or ask your administrator for a license that lends seats.")
    case .seatBorrowed:
      ProblemEntry(
        409, "The seat is borrowed", "The seat was lent, and whoever has it may work on without asking.",
        "Have its holder return it, or wait until its “borrowedUntil”. With “?force=true” the holder loses it where it can be reached; it counts as held until then all the same."
      )
    case .seatNotHeld:
      ProblemEntry(
        404, "No seat is held", "This identity holds no seat of the product.",
        "Claim one with PUT.")
    case .leaseLost:
      ProblemEntry(
        412, "The lease is lost",
        "The seat that “If-Match” names is gone; “reason” says how: expired, released or drained.",
        "Save the user's work, then claim a seat anew without “If-Match”.")
    case .productUnknown:
      ProblemEntry(
        404, "The product is not known here",
        "There is no such product, or this organization never had a license of it.",
        "Check the product code in the app and the set-up.")
    case .licenseRequired:
      ProblemEntry(
        402, "A license is required",
        "The organization has no license of this product that covers the request.",
        "Ask your administrator to buy or renew one.")
    case .licenseExpired:
      ProblemEntry(
        402, "The license has expired",
        "Every license of this product that the organization has is past its end.",
        "Ask your administrator to renew it.")
    case .licenseSuspended:
      ProblemEntry(
        402, "The license is suspended",
        "The vendor has suspended the organization's license of this product.",
        "Ask your administrator, who can ask the vendor.")
    case .licenseNotStarted:
      ProblemEntry(
        402, "The license has not started", "The organization's license of this product begins later.",
        "Try again when it has started.")

    case .organizationSuspended:
      ProblemEntry(
        402, "The organization is suspended", "The vendor has suspended the whole organization.",
        "Ask your administrator, who can ask the vendor.")
    case .identitySuspended:
      ProblemEntry(
        402, "This identity is suspended",
        "An administrator has suspended the identity behind this certificate.",
        "Ask your administrator.")
    case .identityDeleted:
      ProblemEntry(
        410, "This identity was deleted",
        "An administrator has deleted the identity behind this certificate.",
        "Drop the certificate and its key; enroll again if you were invited to.")
    case .identityUnknown:
      ProblemEntry(
        404, "Nobody is known by this certificate",
        "The certificate is signed by a known authority, but names no identity, and none is made on its own.",
        "Ask your administrator to register the identity.")
    case .certificateExpired:
      ProblemEntry(
        410, "The certificate has expired", "The client certificate is past its time.",
        "Renew it while that is allowed, else enroll again; check this device's clock.")
    case .certificateNotYetValid:
      ProblemEntry(
        410, "The certificate is not valid yet", "The client certificate's time has not begun.",
        "Check this device's clock.")
    case .certificateRevoked:
      ProblemEntry(
        410, "The certificate was revoked",
        "An administrator, or the CA, has revoked the client certificate.",
        "Drop it and its key, and enroll again.")
    case .authorityRevoked:
      ProblemEntry(
        410, "The authority was revoked",
        "The authority that signed the client certificate is no longer trusted.",
        "Drop the certificate, and get one from an authority of today.")

    case .storageUnavailable:
      ProblemEntry(
        503, "The service cannot reach its storage",
        "The server runs, but cannot read or write for the moment.",
        "Try again after “Retry-After”. An app that holds a seat works on until “validUntil”.")
    case .internalError:
      ProblemEntry(
        500, "Something went wrong here",
        "The server made a mistake. Nothing about it is shown here but a reference.",
        "Try again; if it stays, give the operator the “reference”, which is in the server's log.")
    }
  }
}
