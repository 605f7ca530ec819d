import { randomBytes } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { PortalClient } from './PortalClient.ts';
import type { SoftwarePasskey } from './SoftwarePasskey.ts';
import { type Steps, waitFor } from './Steps.ts';
import { expectThat } from './Surprise.ts';

const creationOptions = z.custom<PublicKeyCredentialCreationOptionsJSON>((value) => typeof value === 'object' && value !== null);
const requestOptions = z.custom<PublicKeyCredentialRequestOptionsJSON>((value) => typeof value === 'object' && value !== null);

/** Registers a new address, opens the mailed link, enrols a passkey and keeps the recovery codes. Leaves the client signed in. */
export async function openAccount(portal: PortalClient, passkey: SoftwarePasskey, steps: Steps): Promise<void> {
  // An address that consisted only of digits could be mistaken for a link code, which has ten. Eight hexadecimal digits cannot.
  const email = `operator-${randomBytes(4).toString('hex')}@example.com`;
  await steps.run(
    'Register',
    () => requestRegistration(portal, email),
    () => email,
  );
  const token = await steps.run(
    'Open the link in the email',
    () => mailedToken(portal, email),
    () => 'found in the development mailbox',
  );
  await steps.run(
    'Confirm the address',
    () => confirmRegistration(portal, token),
    () => 'the link works once',
  );
  const recoveryCodes = await steps.run(
    'Create a passkey',
    () => enrolPasskey(portal, passkey),
    (codes) => `signed in; ${codes.length} recovery codes, not printed here`,
  );
  expectThat(new Set(recoveryCodes).size === 10, 'The portal did not give ten different recovery codes.');
}

async function requestRegistration(portal: PortalClient, email: string): Promise<void> {
  await portal.ask('mutation ($input: RequestRegistrationInput!) { requestRegistration(input: $input) }', {
    variables: { input: { email } },
    answer: z.object({ requestRegistration: z.literal(true) }),
  });
}

async function mailedToken(portal: PortalClient, email: string): Promise<string> {
  const text = await waitFor('The email with the link', 30, () => portal.newestMail(email));
  const token = /\/verify#token=([\w-]+)/.exec(text)?.[1];
  expectThat(token !== undefined, 'The email contains no link of the expected form.');
  return token;
}

async function confirmRegistration(portal: PortalClient, token: string): Promise<void> {
  await portal.ask('mutation ($input: ConfirmRegistrationInput!) { confirmRegistration(input: $input) { kind } }', {
    variables: { input: { token } },
    answer: z.object({ confirmRegistration: z.object({ kind: z.literal('enrolment') }) }),
  });
}

async function enrolPasskey(portal: PortalClient, passkey: SoftwarePasskey): Promise<string[]> {
  const { beginPasskeyRegistration: options } = await portal.ask('mutation { beginPasskeyRegistration }', {
    answer: z.object({ beginPasskeyRegistration: creationOptions }),
  });
  const { finishPasskeyRegistration: enrolled } = await portal.ask(
    'mutation ($input: FinishPasskeyRegistrationInput!) { finishPasskeyRegistration(input: $input) { viewer { kind } recoveryCodes } }',
    {
      variables: { input: { response: passkey.create(options, portal.origin), name: 'Demo passkey' } },
      answer: z.object({
        finishPasskeyRegistration: z.object({ viewer: z.object({ kind: z.literal('full') }), recoveryCodes: z.array(z.string()) }),
      }),
    },
  );
  return enrolled.recoveryCodes;
}

/** Accepts the current Integration Terms and returns their version. */
export async function acceptTerms(portal: PortalClient): Promise<number> {
  const { currentTerms } = await portal.ask('{ currentTerms { version } }', {
    answer: z.object({ currentTerms: z.object({ version: z.int() }) }),
  });
  await portal.ask('mutation ($input: AcceptTermsInput!) { acceptTerms(input: $input) { acceptedTermsVersion } }', {
    variables: { input: { version: currentTerms.version, nonCommercial: true, attribution: true } },
    answer: z.object({ acceptTerms: z.object({ acceptedTermsVersion: z.literal(currentTerms.version) }) }),
  });
  return currentTerms.version;
}

/** Confirms the session with the passkey. For the next five minutes, a certificate may be requested. */
export async function confirmPasskey(portal: PortalClient, passkey: SoftwarePasskey): Promise<void> {
  const { beginPasskeyConfirmation: options } = await portal.ask('mutation { beginPasskeyConfirmation }', {
    answer: z.object({ beginPasskeyConfirmation: requestOptions }),
  });
  await portal.ask('mutation ($input: FinishPasskeyConfirmationInput!) { finishPasskeyConfirmation(input: $input) { confirmedUntil } }', {
    variables: { input: { response: passkey.get(options, portal.origin) } },
    answer: z.object({ finishPasskeyConfirmation: z.object({ confirmedUntil: z.string() }) }),
  });
}
