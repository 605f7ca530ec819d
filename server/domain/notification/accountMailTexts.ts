import { hour, limits } from '../shared/limits.ts';
import { spanWords } from '../shared/text/spanWords.ts';
import type { MailKind } from './mailKinds.ts';
import { moment, type MailFacts, type MailText, type MailTexts, notYou } from './mailText.ts';

const resetWait = `${limits.accountResetWait / hour} hours`;

/** The text of each kind about an operator's own account. Of what somebody else wrote to the operator, they repeat only a reason. */
export const accountMailTexts = {
  registration: ({ token, code }) => ({
    subject: 'Confirm your address',
    paragraphs: [
      'Somebody, hopefully you, asked to register as an operator with this address.',
      'Open the link on the device where you want your passkey. Opening it changes nothing until you confirm on the page. Or enter the code on the page on which you asked for this email.',
      'The link and the code each work once and expire after 20 minutes. Do not enter the code on any other page or share it with anyone: we ask for it nowhere else.',
      'If this was not you, ignore this email. Nothing happens without the link or the code.',
    ],
    facts: [['Code', code ?? '']],
    action: { label: 'Confirm this address', path: `/verify#token=${token}` },
  }),
  new_passkey: ({ details: { passkeyName }, contact }) => ({
    subject: 'A passkey was added to your account',
    paragraphs: ['A new passkey can now be used to sign in to your operator account.', notYou(contact)],
    ...(passkeyName !== undefined && { facts: [['Passkey', passkeyName]] }),
    action: { label: 'View your passkeys', path: '/account' },
  }),
  passkey_removed: ({ details: { passkeyName }, contact }) => ({
    subject: 'A passkey was removed from your account',
    paragraphs: ['This passkey can no longer be used to sign in to your operator account. Open sessions stay open.', notYou(contact)],
    facts: [['Passkey', passkeyName]],
    action: { label: 'View your passkeys', path: '/account' },
  }),
  recovery_codes_made: () => ({
    subject: 'You have new recovery codes',
    paragraphs: [
      'New recovery codes were generated for your operator account. The previous ones no longer work.',
      'If this was not you, sign in at once, end all other sessions, remove any passkeys you do not recognise, and generate new codes: with these codes, anybody can take over the account.',
    ],
    action: { label: 'View your account', path: '/account' },
  }),
  recovery_used: ({ details: { codesLeft }, contact }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      'Somebody used one of your recovery codes. All sessions have ended and all passkeys have been removed; the next step is to create a new passkey.',
      'If this was you, finish creating the passkey. You then get new codes, and the old ones stop working.',
      codesLeft === 0
        ? `It was your last code: unless a new passkey is created within 20 minutes, the account can no longer be recovered. If this was not you, contact ${contact} at once.`
        : 'If this was not you, use another recovery code at once to take the account back.',
    ],
    ...(codesLeft !== undefined && { facts: [['Codes left', String(codesLeft)]] }),
    ...(codesLeft !== 0 && { action: { label: 'Use a recovery code', path: '/recover' } }),
  }),
  session_stolen: () => ({
    subject: 'We ended a session of your account',
    paragraphs: [
      'An outdated copy of a session cookie was used. This can mean that somebody copied it, so we ended the session at once.',
      'Sign in again, and check your sessions and passkeys.',
    ],
    action: { label: 'Check your account', path: '/account' },
  }),
  email_change_current: ({ token, newAddress }) => ({
    subject: 'Confirm your change of address',
    paragraphs: [
      'A new address was entered for your operator account. The change must be confirmed from this address and from the new one.',
      'The link works once and expires after 20 minutes. Opening it changes nothing until you confirm on the page.',
      'If this was not you, do not confirm: nothing changes without this link. Then end all sessions, because somebody is signed in as you.',
    ],
    ...(newAddress != null && { facts: [['New address', newAddress]] }),
    action: { label: 'Confirm the change', path: `/confirm-address#token=${token}` },
  }),
  email_change_new: ({ token }) => ({
    subject: 'Confirm your new address',
    paragraphs: [
      'This address was entered as the new address of an operator account. The change must be confirmed from this address and from the current one.',
      'The link works once and expires after 20 minutes. Opening it changes nothing until you confirm on the page.',
      'If this was not you, ignore this email. Nothing happens without the link.',
    ],
    action: { label: 'Confirm this address', path: `/confirm-address#token=${token}` },
  }),
  email_changed: ({ contact }) => ({
    subject: 'The address of your account has changed',
    paragraphs: [
      'Both addresses confirmed the change. From now on we email the new address; the old one is no longer linked to the account.',
      'All sessions have ended: sign in again with your passkey. Your passkeys and recovery codes still work.',
      notYou(contact),
    ],
    action: { label: 'View your account', path: '/account' },
  }),
  account_deleted: ({ details: { reason }, contact }) => ({
    subject: 'Your account has been deleted',
    paragraphs: [
      ...(reason === undefined ? [] : [`The service has closed this account. Contact ${contact} if this is a mistake.`]),
      'Your operator account has been deleted. Its address, passkeys, recovery codes and sessions have been removed, its integrations retired, and their certificates and connections revoked.',
      'The audit trail keeps a record under an anonymous identifier. This is our last email to you. You can register with this address again at any time.',
    ],
    ...(reason !== undefined && { facts: [['Reason', reason]] }),
  }),
  account_locked: ({ details: { reason }, contact }) => ({
    subject: 'Your account is locked',
    paragraphs: [
      'An administrator of the service has locked your operator account. All its sessions have ended, and you cannot sign in with a passkey or a recovery code until it is unlocked.',
      'Your integrations keep their access to the machine API, and deletion deadlines keep running. Your back end can still acknowledge deletions, but you cannot record them in the portal while the account is locked.',
      `To ask about it, contact ${contact}.`,
    ],
    facts: [['Reason', reason]],
  }),
  account_unlocked: ({ details: { reason } }) => ({
    subject: 'Your account is unlocked',
    paragraphs: ['You can sign in to your operator account again. Your passkeys and recovery codes work as they did before.'],
    facts: [['Reason', reason]],
    action: { label: 'Sign in', path: '/sign-in' },
  }),
  account_reset_requested: ({ details: { reason }, contact }) => ({
    subject: 'Somebody says that you have lost access to your account',
    paragraphs: [
      `An administrator of the service has asked to reset your operator account, because its passkeys and recovery codes are said to be lost. A second administrator has to approve it; after that, nothing happens for ${resetWait}.`,
      `If you can still sign in, cancel it on the page Account. If you did not ask for it, contact ${contact}.`,
    ],
    facts: [['Reason', reason]],
    action: { label: 'Cancel the reset', path: '/account' },
  }),
  account_reset_approved: ({ details: { reason, dueAt }, contact }) => ({
    subject: `Your account will be reset in ${resetWait}`,
    paragraphs: [
      `Two administrators of the service have agreed to reset your operator account. When the ${resetWait} are over, a link that we email to this address creates a new passkey, and all former passkeys, recovery codes and sessions end.`,
      `If you did not ask for it, sign in and cancel it on the page Account until then, or contact ${contact}.`,
    ],
    facts: [
      ['Reason', reason],
      ['From', moment(dueAt)],
    ],
    action: { label: 'Cancel the reset', path: '/account' },
  }),
  account_reset_cancelled: ({ contact }) => ({
    subject: 'The reset of your account was cancelled',
    paragraphs: [`It can no longer be used. If you have asked for the reset and still need it, contact ${contact}.`],
    action: { label: 'View your account', path: '/account' },
  }),
  account_reset_ready: ({ contact }) => ({
    subject: 'You can create a new passkey for your account',
    paragraphs: [
      `The waiting time for the reset of your operator account is over. Enter this address on the page for registration: the link that we email you then leads to a new passkey and new recovery codes. All previous ones stop working. You have ${spanWords(limits.accountResetUsable)}.`,
      `If you did not ask for it, sign in and cancel it on the page Account, or contact ${contact}.`,
    ],
    action: { label: 'Get the link', path: '/register' },
  }),
  account_reset_used: ({ contact }) => ({
    subject: 'Your account has been reset',
    paragraphs: [
      'Somebody has used the link of the reset. All passkeys, recovery codes and sessions of your operator account have ended, and the browser with the link can create a new passkey within 20 minutes.',
      `If that was not you, contact ${contact} at once.`,
    ],
    action: { label: 'Get another link', path: '/register' },
  }),
  role_granted: ({ details: { role, reason }, contact }) => ({
    subject: `You are ${article(role)} now`,
    paragraphs: [
      `Your operator account has been given the role ${role}. It applies from your next request on, and your own integrations stay as they are.`,
      `To ask about it, contact ${contact}.`,
    ],
    ...(reason !== undefined && { facts: [['Reason', reason]] }),
    action: { label: 'Open the portal', path: '/' },
  }),
  role_withdrawn: ({ details: { role, reason }, contact }) => ({
    subject: `You are no longer ${article(role)}`,
    paragraphs: [
      `The role ${role} has been withdrawn from your operator account. Your own integrations stay as they are.`,
      `To ask about it, contact ${contact}.`,
    ],
    ...(reason !== undefined && { facts: [['Reason', reason]] }),
    action: { label: 'Open the portal', path: '/' },
  }),
} satisfies Partial<MailTexts<MailKind>>;

/** For a registration with an address that already has an account: the page gave the same answer as for a new address. */
export const knownAddressText: MailText = {
  subject: 'You already have an account',
  paragraphs: [
    'Somebody, hopefully you, asked to register as an operator with this address, but it already has an account.',
    'Sign in with your passkey. If this was not you, ignore this email; nothing has changed.',
  ],
  action: { label: 'Sign in', path: '/sign-in' },
};

/** For a change to an address that already has an account: the page gave the same answer as for a free address. */
export const takenAddressText: MailText = {
  subject: 'This address already has an account',
  paragraphs: [
    'Somebody entered this address as the new address of another operator account. It already has its own account, so it cannot be used for another one.',
    'Nothing has changed. If this was you, delete this account first or choose another address.',
  ],
  action: { label: 'Sign in', path: '/sign-in' },
};

function article(role: string): string {
  return `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;
}

/** For a registration with the address of an account of which a reset is due. Link and code end what its owner may still have. */
export function resetText({ token, code, contact }: Omit<MailFacts<'registration'>, 'details' | 'integration'>): MailText {
  return {
    subject: 'Reset your account',
    paragraphs: [
      'This address was entered on the page for registration, and two administrators of the service have approved a reset of its operator account.',
      'Using the link or the code ends all passkeys, recovery codes and sessions of the account at once. The browser that uses it then has 20 minutes to create a new passkey.',
      `If you did not ask for the reset, use neither. Sign in and cancel the reset on the page Account, or contact ${contact}.`,
      'Open the link on the device where you want your new passkey. Opening it changes nothing until you confirm on the page. Or enter the code on the page on which you asked for this email.',
      'The link and the code each work once and expire after 20 minutes. Do not enter the code on any other page or share it with anyone: we ask for it nowhere else.',
    ],
    facts: [['Code', code ?? '']],
    action: { label: 'Reset your account', path: `/verify?reset=1#token=${token}` },
  };
}
