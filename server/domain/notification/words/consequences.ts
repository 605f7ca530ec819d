/** What a missed deletion deadline leads to (docs/specification.md, “Deletion deadlines”): wherever it is told, in this sentence. */
export const missedDeadline = 'In production, an active integration that misses the deadline is suspended.';

/** The same of one that has missed it and is active: its suspension is under way, or an administrator has reactivated it, and this deletion suspends it no more. */
export const deadlineMissed = 'Production access is stopped for a missed deadline, unless an administrator has restored it since.';

/** What a suspension leaves of the sandbox (docs/specification.md, “Suspension” and “Delivery”). */
export const sandboxInSuspension =
  'The sandbox still answers calls, but its webhook deliveries are held like those of production, apart from those about revocations and about the suspension itself.';
