/// How long to rest after a failure: longer each time, and not for everybody the same.
struct Backoff {
  var first = Duration.milliseconds(50)
  var longest = Duration.seconds(1)

  /// The rest after so many failures in a row: from its half to its whole, as `chance` from 0 to 1 decides. After a
  /// loss without any failure it is from nothing to half of the first.
  func delay(after failures: Int, chance: Double) -> Duration {
    if failures == 0 { return first * (chance / 2) }
    return min(longest, first * (1 << min(failures - 1, 16))) * (0.5 + chance / 2)
  }
}
