/// Every route of every surface.
public enum Routes {
  public static let all: [Route] =
    ProblemPages.routes + OwnSeatRoutes.all + BorrowRoute.all + IdentityRoute.all + EnrollRoute.all
    + AuthorityCertificateRoute.all + RevocationListRoute.all + KeySetRoute.all + OCSPRoutes.all
    + AuthorityListRoute.all
    + OperationsRoutes.all + AuthorityRoutes.all + OrganizationRoutes.all + ProductRoutes.all
    + LicenseRoutes.all + SeatRoutes.all + ReservationRoutes.all + ConfigRoutes.all + UsageRoutes.all
    + IdentityRoutes.all + CertificateRoutes.all + EnrollmentRoutes.all + TokenRoutes.all
    + SetupRoute.all + EventRoutes.all + EventHeadRoute.all + WebhookRoutes.all
    + BulkRoute.all
    + ReferenceRoute.all
}
