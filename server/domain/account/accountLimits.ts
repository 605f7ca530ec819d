import { second, minute, hour } from '../shared/limits.ts';

/** Limits of accounts, passkeys and sessions, and of how often an operator or a network may try something; durations in milliseconds. */
export const accountLimits = {
  /** RFC 5321, section 4.5.3.1.3: a path of 256 octets is an address in angle brackets. */
  emailCharacters: 254,
  /** docs/specification.md, “Registration”, “Sessions”, “Recovery codes”. */
  verificationLinkLifetime: 20 * minute,
  sessionIdle: 20 * minute,
  sessionLifetime: 8 * hour,
  sessionRotation: 10 * minute,
  previousGenerationGrace: 60 * second,
  enrolmentLifetime: 20 * minute,
  challengeLifetime: 5 * minute,
  freshPasskey: 5 * minute,
  recoveryCodes: 10,
  /** Links to a mailbox, for a registration or a change of address. Links that were confirmed do not count. */
  registrationsPerMailboxAndIpPerHour: 5,
  registrationsPerMailboxPerHour: 30,
  registrationsPerIpPerHour: 60,
  emailChangesPerOperatorPerHour: 5,
  /** docs/specification.md, “Registration”. A guess at a code of 40 bits then succeeds once in 200 billion registrations. */
  registrationCodeTries: 5,
  /** How long a browser keeps the secret by which it can answer what it has begun: longer than links and challenges. */
  browserSecretLifetime: 30 * minute,
  /** More than the devices of one person. */
  passkeysPerOperator: 20,
  /** Live sessions. The oldest one makes room for a new one. */
  sessionsPerOperator: 20,
  /** WebAuthn Level 3, 7.1: with a longer identifier, the registration fails. */
  credentialIdBytes: 1_023,
  /**
   * Attempts (docs/specification.md, “Attempts”). The limits leave room for a network with many people behind one address. Windows are
   * fixed rows of `attempt_window`. IPv6 addresses count by their /64. Only failures count.
   */
  failedSignInsPerIpPer15Minutes: 60,
  failedConfirmationsPerSessionPer15Minutes: 20,
  failedRecoveriesPerIpPer15Minutes: 10,

  /** docs/specification.md, “Integration profile”. Each integration has a corpus of its own, so their number is limited. */
  integrationsPerOperatorPerDay: 100,
  /** Each version is kept for ever, with up to 10 KB. Room for more logos than a person tries. */
  profileVersionsPerIntegrationPerDay: 200,
  /** Changes that nothing else bounds and that each leave an entry in the audit trail for ever. */
  changesPerOperatorPerDay: 300,
  /**
   * Passkeys that join an account, each with an email. Removing one is not counted, so that an intruder in an account cannot use up
   * what its owner needs to be rid of them; as many as have joined can be removed. The same holds for ending all other sessions at once.
   */
  passkeysAddedPerOperatorPerDay: 50,
  sessionsEndedPerOperatorPerDay: 200,
  recoveryCodesPerOperatorPerDay: 50,
  /** Submissions of all integrations. Withdrawing and submitting again in turn would mail the reviewers each time. */
  submissionsPerOperatorPerDay: 60,
  /** Of all integrations; each one has a limit of its own. Reviewers are mailed each time. */
  businessModelReportsPerOperatorPerDay: 30,
  /** Each reads up to `limits.exportedAuditEntries`. */
  auditExportsPerOperatorPerHour: 60,
  /** Enough for anybody who is looking for a name. Listing all integrations this way would take years. */
  slugChecksPerOperatorPerHour: 120,
  /** Refused files count as well, because each of them is decoded. */
  logoUploadsPerOperatorPerHour: 60,
  /** Certificate requests that were judged in vain. The largest key takes 0.4 s, and nobody sends so many by mistake. */
  refusedCsrsPerOperatorPerHour: 60,
  pageChecksPerIntegrationPerHour: 10,
  pageChecksPerOperatorPerHour: 30,
  /** Those that a saved draft causes. */
  draftChecksPerIntegrationPerHour: 5,
  /** A search begins a moment after the last key, so typing never gets near it (docs/specification.md, “Finding”). */
  findsPerOperatorPer15Minutes: 600,
} as const;
