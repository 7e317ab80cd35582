import Testing

/// Requests through the whole application to a real database; one at a time, since each has a database of its own.
@Suite("Over the database", .serialized)
enum OverTheDatabase {}
