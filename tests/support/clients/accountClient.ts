import { SoftwarePasskey, type Misbehaviour } from '../../../demo/SoftwarePasskey.ts';
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Answer, PortalClient, Viewer } from './portalClient.ts';

export type PasskeyData = { id: string; name: string; storage: string; createdAt: string; lastUsedAt: string | null };
export type AccountData = { operatorId: string; passkeys: PasskeyData[]; recoveryCodes: { unused: number; createdAt: string } | null };
export type SessionData = {
  id: string;
  current: boolean;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
  ip: string;
  userAgent: string;
};

export const accountOf = (client: PortalClient): Promise<AccountData> => client.must('account');

export const passkeysOf = async (client: PortalClient): Promise<PasskeyData[]> => (await accountOf(client)).passkeys;

export async function sessionsOf(client: PortalClient): Promise<SessionData[]> {
  const { edges } = await client.must<{ edges: { node: SessionData }[] }>('sessions');
  return edges.map(({ node }) => node);
}

export const redeem = (client: PortalClient, code: string | undefined): Promise<Answer<Viewer>> =>
  client.call('redeemRecoveryCode', { input: { code } });

export const remove = (client: PortalClient, passkeyId: string): Promise<Answer<PasskeyData>> =>
  client.call('removePasskey', { input: { passkeyId } });

/** Adds a passkey on another authenticator, after a fresh confirmation. */
export async function addPasskey(
  client: PortalClient,
  name: string,
  misbehaviour: Misbehaviour = {},
): Promise<{ authenticator: SoftwarePasskey; passkey: PasskeyData }> {
  const { authenticator, data, errors } = await tryAddPasskey(client, name, misbehaviour);
  if (!data) throw new Error(JSON.stringify(errors));
  return { authenticator, passkey: data };
}

/** Like `addPasskey`, but for attempts that may be refused. */
export async function tryAddPasskey(
  client: PortalClient,
  name: string,
  misbehaviour: Misbehaviour,
): Promise<Answer<PasskeyData> & { authenticator: SoftwarePasskey }> {
  await client.confirmFreshly();
  const authenticator = new SoftwarePasskey();
  const options = await client.must<PublicKeyCredentialCreationOptionsJSON>('beginPasskeyAddition');
  const response = authenticator.create(options, client.origin, misbehaviour);
  return { authenticator, ...(await client.call<PasskeyData>('finishPasskeyAddition', { input: { response, name } })) };
}

/** Tries to sign in with a passkey of this authenticator. */
export async function signInWith(client: PortalClient, authenticator: SoftwarePasskey): Promise<Answer<Viewer>> {
  const options = await client.must<PublicKeyCredentialRequestOptionsJSON>('beginSignIn');
  return client.call('finishSignIn', { input: { response: authenticator.get(options, client.origin) } });
}

/** Enrols a new passkey in a recovery session; afterwards the client signs in with it. */
export async function enrolAgain(client: PortalClient, misbehaviour: Misbehaviour = {}): Promise<string[]> {
  const authenticator = new SoftwarePasskey();
  const response = authenticator.create(await client.creationOptions(), client.origin, misbehaviour);
  const { data, errors } = await client.enrol(response, 'New phone');
  if (!data) throw new Error(JSON.stringify(errors));
  return data.recoveryCodes;
}
