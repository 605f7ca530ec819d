import { overlapDays } from './certificateFacts.ts';
import { MiB, second, minute, hour, day } from '../shared/limits.ts';

/** Limits of certificates, P12 packages and revocation lists; durations in milliseconds, sizes in bytes. */
export const certificateLimits = {
  /** docs/specification.md, “Certificate issuance”, “Rotation”. */
  certificateLifetime: 90 * day,
  certificatesPerClient: 2,
  /**
   * Requests by the owner, revoked ones included, failed ones and renewals not. A rotation takes one, and one that goes wrong (a lost key, a package
   * that nobody downloaded) two or three; the rest is for a day of setting up.
   */
  certificateRequestsPerClientPerDay: 20,
  certificateOverlap: overlapDays * day,
  /** From when on the inbox asks for the next certificate, or for a call with it: as long before the end as both can work. */
  certificateNotice: overlapDays * day,
  /** docs/specification.md, “P12 packages”: how long a package waits for its claim, and how many wrong tokens end it. */
  p12ClaimTime: 15 * minute,
  wrongTokensPerP12: 5,
  /** Attempts at making a package. They take about ten minutes: the person who waits for it still has the page open, which alone has the token. */
  p12Attempts: 7,
  /** Much longer than all attempts. A package that is still being made then never will be, because its last attempt was killed. */
  p12MakingTime: hour,
  /** Longer than all attempts at issuing, which take about four days. What is pending then never will be issued. */
  certificateIssuingTime: 7 * day,
  /** Those whose transaction and job are one: few enough for the event loop of a process that also answers requests. */
  certificatesIssuedAtOnce: 25,
  /** docs/specification.md, “Renewal without a person”: the part of its lifetime after which a certificate renews itself, as a fraction. */
  certificateRenewableFrom: [2, 3],
  /**
   * When a back end is to ask again for a certificate that is being issued: after as long as it has waited already. So ten requests last
   * longer than any worker is late.
   */
  renewalRetry: { least: 5 * second, most: 15 * minute },
  /** When mails are sent: so long before a certificate stops working. */
  certificateWarningDays: [30, 14, 7, 1],
  /**
   * Revocation lists (docs/specification.md, “Revocation lists”): how long one is valid, after how long the next one is made although
   * nothing has been revoked, and how long caches may keep it.
   */
  crlLifetime: 7 * day,
  crlRenewal: day,
  crlCached: hour,
  /** Revocations that one list names for the first time, because each of them is written to a wide row with many indexes. */
  crlSlice: 5_000,
  /** A list that is imported: some 40 bytes for each entry, and nobody revokes so many authorities. */
  importedCrlBytes: MiB,
} as const;
