/** What a missed deletion deadline leads to (docs/specification.md, “Deletion deadlines”): wherever it is told, in this sentence. */
export const missedDeadline = 'In production, an active integration that misses the deadline is suspended.';

/** The same of one that has missed it and is active: soon suspended, or no more for this deletion because an administrator has reactivated it since. */
export const deadlineMissed = 'Production access may be stopped meanwhile.';

/** What a suspension leaves of the sandbox (docs/specification.md, “Suspension” and “Delivery”). */
export const sandboxInSuspension =
  'The sandbox still answers calls, but its webhook deliveries are held as well, apart from those about revocations and about the suspension itself.';
