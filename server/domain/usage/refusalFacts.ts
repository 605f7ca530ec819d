/** What is gone or never was, and calls that were broken off, are neither refusals nor failures. */
export const noRefusals = [404, 410, 499] as const;

/** Whether a status is a refusal or a failure, as every figure counts them. */
export function isRefused(status: number): boolean {
  return status >= 400 && !noRefusals.some((each) => each === status);
}
