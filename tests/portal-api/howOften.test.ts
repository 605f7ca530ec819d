import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { permissions, type Operation } from '../../server/domain/access/permissions.ts';
import type { Attempt } from '../../server/domain/account/attempts.ts';
import { specifiedUnder } from '../support/words/unsaid.ts';

/** What keeps an owner from repeating a mutation for ever. */
type Bound =
  /** A window of `attempts.ts`, which its command takes. */
  | { readonly window: Attempt['kind'] }
  /** A number of `*Limits.ts`, which its command or what that imports counts up to. */
  | { readonly limit: string }
  /** Each needs one of these before it, which is bound itself. */
  | { readonly after: Operation }
  /** It has no bound, and needs none. */
  | { readonly unbound: string };

const storesNothing = { unbound: 'stores nothing' } as const;

/** Every mutation that is not only for staff or the tooling. */
const bounds: Readonly<Partial<Record<Operation, Bound>>> = {
  requestRegistration: { window: 'registration_mailbox_ip' },
  confirmRegistration: { after: 'requestRegistration' },
  confirmRegistrationCode: { limit: 'accountLimits.registrationCodeTries' },
  beginPasskeyRegistration: storesNothing,
  finishPasskeyRegistration: { after: 'requestRegistration' },
  beginSignIn: storesNothing,
  finishSignIn: { unbound: 'needs the passkey, and the oldest of 20 sessions makes room; failures are counted' },
  beginPasskeyConfirmation: storesNothing,
  finishPasskeyConfirmation: { unbound: 'needs the passkey and moves one time of the session; failures are counted' },
  redeemRecoveryCode: { after: 'regenerateRecoveryCodes' },
  signOut: { unbound: 'ends the session that calls it' },
  cancelAccountReset: { unbound: 'each needs a reset that two administrators have asked for' },
  beginPasskeyAddition: storesNothing,
  finishPasskeyAddition: { window: 'passkey_operator' },
  renamePasskey: { window: 'change_operator' },
  removePasskey: { after: 'finishPasskeyAddition' },
  regenerateRecoveryCodes: { window: 'recovery_codes_operator' },
  endSession: { window: 'session_operator' },
  endOtherSessions: { unbound: 'an intruder must not be able to use it up; the sessions that it ends were opened with the passkey' },
  requestEmailChange: { window: 'email_change_operator' },
  confirmEmailChange: { after: 'requestEmailChange' },
  cancelEmailChange: { after: 'requestEmailChange' },
  setNotificationPreferences: { window: 'change_operator' },
  setSingleKeys: { unbound: 'one column of the account, and no line of the trail' },
  deleteAccount: { unbound: 'ends the account' },

  markNewsRead: { unbound: 'marks what was not marked before, and leaves no line of the trail' },
  markAllNewsRead: { unbound: 'marks what was not marked before, and leaves no line of the trail' },
  acceptTerms: { unbound: 'each version once' },
  reportBusinessModelChange: { window: 'business_model_report_operator' },
  createIntegration: { window: 'integration_operator' },
  reviseProfile: { limit: 'accountLimits.profileVersionsPerIntegrationPerDay' },
  removeLogo: { limit: 'accountLimits.profileVersionsPerIntegrationPerDay' },
  retireIntegration: { after: 'createIntegration' },
  regenerateSandboxCorpus: { limit: 'limits.corpusRequestsPerHour' },
  generateSandboxLinkCode: { limit: 'limits.sandboxActionsPerHour' },
  advanceSandboxResource: { limit: 'limits.sandboxActionsPerHour' },
  addSandboxShippingEvent: { limit: 'limits.sandboxActionsPerHour' },
  revokeSandboxShare: { limit: 'limits.sandboxActionsPerHour' },
  publishSandboxStatistics: { limit: 'limits.sandboxActionsPerHour' },
  activateForProduction: { unbound: 'nothing leads back to an approved integration' },
  recordDeletion: { unbound: 'each revocation once' },
  recordDeletions: { unbound: 'each revocation once' },

  requestCertificate: { limit: 'certificateLimits.certificateRequestsPerClientPerDay' },
  requestP12: { limit: 'certificateLimits.certificateRequestsPerClientPerDay' },
  claimP12: { after: 'requestP12' },
  revokeCertificate: { after: 'requestCertificate' },
  setRenewalByEst: { window: 'change_operator' },

  registerWebhookEndpoint: { window: 'webhook_operator' },
  reviseWebhookEndpoint: { window: 'change_operator' },
  pauseWebhookEndpoint: { window: 'change_operator' },
  resumeWebhookEndpoint: { window: 'change_operator' },
  removeWebhookEndpoint: { after: 'registerWebhookEndpoint' },
  verifyWebhookEndpoint: { window: 'challenge_operator' },
  sendTestEvent: { window: 'test_event_endpoint' },
  requestSignedSample: { window: 'signed_sample_endpoint' },
  checkReceiver: { window: 'receiver_check_operator' },
  replayDelivery: { window: 'replay_operator' },
  replayDeliveries: { window: 'replay_operator' },
  attemptDelivery: { window: 'replay_operator' },
  attemptDeliveries: { window: 'replay_operator' },

  saveSubmissionDraft: { unbound: 'replaces one row, and leaves no line of the trail; the checks of pages that it causes are counted' },
  checkPages: { window: 'page_check_operator' },
  submitForReview: { window: 'submission_operator' },
  withdrawSubmission: { after: 'submitForReview' },
  answerQuestion: { limit: 'reviewLimits.reviewMessagesPerSubmission' },
};

const mutations = Object.keys(buildSchema(readFileSync('schema.graphql', 'utf8')).getMutationType()?.getFields() ?? {}) as Operation[];
const notOwners = new Set<string>(['serviceToken', 'reviewer', 'administrator']);
const ownersMutations = mutations.filter((name) => !notOwners.has(permissions[name].by));

const sources = new Map(globSync('server/domain/**/*.ts').map((file) => [file, readFileSync(file, 'utf8')]));

/** The file of a command, and what it imports from the domain by itself. */
function codeOf(mutation: string): string {
  const command = [...sources].find(([, text]) => new RegExp(`^export (?:async )?function ${mutation}\\(`, 'm').test(text));
  if (!command) return '';
  const [file, text] = command;
  const imported = [...text.matchAll(/^import (?!type\b)[^;]*? from '(\.[^']+)';/gm)].map(([, path = '']) => join(dirname(file), path));
  return [text, ...imported.map((path) => sources.get(path) ?? '')].join('\n');
}

/** Whether `bounds` says the truth about it; the end of a sentence if not. */
function complaintAbout(mutation: Operation): string | null {
  const bound = bounds[mutation];
  if (!bound) {
    return 'may be repeated for ever. Let its command take a window of server/domain/account/attempts.ts (takeAttempt) or count up to a limit, and say which in `bounds` of this file; or say there why it needs none.';
  }
  if ('unbound' in bound) return null;
  if ('after' in bound) {
    const before = bounds[bound.after];
    return before && !('unbound' in before) ? null : `is to be bound by ${bound.after}, which is not bound itself.`;
  }
  const code = codeOf(mutation);
  if ('limit' in bound)
    return code.includes(bound.limit) ? null : `is to count up to ${bound.limit}, which neither its command nor what that imports names.`;
  return code.includes(`kind: '${bound.window}'`)
    ? null
    : `is to take the window ${bound.window}, which neither its command nor what that imports names.`;
}

test('whatever an owner may do is bound by a window, a limit or what has to come before it, or is listed with a reason', () => {
  const complaints = ownersMutations.flatMap((mutation) => {
    const complaint = complaintAbout(mutation);
    return complaint === null ? [] : [`${mutation} ${complaint}`];
  });
  const others = (Object.keys(bounds) as Operation[]).filter((name) => !ownersMutations.includes(name));
  expect([...complaints, ...others.map((name) => `${name} is no mutation of owners: take it out of this file.`)]).toEqual([]);
});

/** What all count in one window, as its refusal and its row of “Attempts” name it. */
const changes: Readonly<Partial<Record<Operation, readonly [refusal: string, row: string]>>> = {
  renamePasskey: ['new names of passkeys', 'new names of passkeys'],
  setNotificationPreferences: ['notifications', 'changes of notifications'],
  setRenewalByEst: ['renewals', 'renewals switched on or off'],
  reviseWebhookEndpoint: ['webhook endpoints', 'revised'],
  pauseWebhookEndpoint: ['webhook endpoints', 'paused'],
  resumeWebhookEndpoint: ['webhook endpoints', 'resumed'],
};

test('the refusal of the changes that are counted together names all of them, and so does their row of “Attempts”', () => {
  const counted = ownersMutations.filter((mutation) => {
    const bound = bounds[mutation];
    return bound !== undefined && 'window' in bound && bound.window === 'change_operator';
  });
  expect(Object.keys(changes).toSorted()).toEqual(counted.toSorted());
  const [refusal = ''] = /^  change_operator: \{[^]*? a day\.`/m.exec(readFileSync('server/domain/account/attempts.ts', 'utf8')) ?? [];
  const [row = ''] = /^\| new names of passkeys.*$/m.exec(specifiedUnder('### Attempts')) ?? [];
  const unnamed = Object.entries(changes).filter(([, [refused, told]]) => !refusal.includes(refused) || !row.includes(told));
  expect(unnamed).toEqual([]);
});
