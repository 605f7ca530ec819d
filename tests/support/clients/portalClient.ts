import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { SoftwarePasskey } from '../../../demo/SoftwarePasskey.ts';
import { hostCookieName } from '../../../server/portal-http/sessions/cookies.ts';
import { attribute, csrPem, nameOf } from '../../domain/certificate/csrFactory.ts';
import { documents } from './portalDocuments.ts';

export type PortalError = {
  message: string;
  path?: string[];
  extensions: { code: string; fields?: { path: string; message: string }[]; retryAfterSeconds?: number };
};
export type Answer<Data> = { status: number; headers: Headers; text: string; data: Data | null; errors: PortalError[] };
export type Viewer = {
  kind: string;
  email: string;
  operatorId: string | null;
  roles: string[];
  confirmedUntil: string | null;
  acceptedTermsVersion: number | null;
  sessionExpiresAt: string;
};
export type CertificateData = {
  id: string;
  status: string;
  serial: string | null;
  fingerprintSha256: string | null;
  keyType: string;
  keyName: string;
  requestedAt: string;
  notAfter: string | null;
  usableUntil: string | null;
  revokedAt: string | null;
  revocationReason: string | null;
  crlPublishedAt: string | null;
  failure: string | null;
  bundlePath: string | null;
  source: string;
  p12: { status: string; readyAt: string | null; claimUntil: string | null; attemptsLeft: number; endedAt: string | null } | null;
};
export type IntegrationData = {
  id: string;
  slug: string;
  status: string;
  profile: Record<string, unknown>;
  clients: {
    id: string;
    environment: string;
    commonName: string;
    scopes: string[];
    corpus: { state: string } | null;
    nextKeyName: string;
    certificatesInUse: CertificateData[];
  }[];
};
type Mail = { id: string; recipient: string; subject: string; text: string; html: string };
type Application = { portalUrl: string; work(): Promise<void>; rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> };
type Headers_ = Record<string, string>;

let counter = 0;

/** A profile that every rule accepts, with a slug of its own. */
export function goodProfile(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  counter += 1;
  return {
    publicName: 'Order Board',
    slug: `order-board-${process.pid}-${counter}`,
    publicDescription: 'Shows when your order is built and shipped.',
    purpose: 'Shows the owner of an order its own progress.',
    legalOperatorName: 'Order Board Ltd',
    country: 'DE',
    supportEmail: 'help@example.com',
    websiteUrl: 'https://example.com',
    privacyPolicyUrl: 'https://example.com/privacy',
    termsOfServiceUrl: 'https://example.com/terms',
    orderLinkingUrl: 'https://example.com/link',
    requestedScopes: ['orders.read'],
    pollingCadenceMinutes: 15,
    webhookModel: 'none',
    termsVersion: 1,
    attributionRulesAccepted: true,
    nonCommercialUseAccepted: true,
    ...overrides,
  };
}

/** The same profile as a revision, without what is given only once, at creation. */
export function profileRevision(integrationId: string, version: number, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const { slug: _, termsVersion: __, attributionRulesAccepted: ___, nonCommercialUseAccepted: ____, ...profile } = goodProfile();
  return { ...profile, integrationId, version, ...overrides };
}

/** A new EC P-256 key. */
export const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** A valid certificate request for the common name. */
export const requestFor = (commonName: string, key: KeyObject = newKey()): string =>
  csrPem({ key, subject: nameOf(attribute(commonName)) });

/** A browser that uses the portal over real HTTP. It keeps the session's cookie, sends Origin, and holds a passkey. */
export class PortalClient {
  readonly origin: string;
  passkey = new SoftwarePasskey();
  cookie: string | undefined;
  /** The secret by which the portal knows this browser again while nobody is signed in. */
  browser: string | undefined;
  email = '';
  recoveryCodes: string[] = [];
  /** The integration that an administrator looks at as its owner. */
  asOwner: string | undefined;
  readonly #application: Application;

  constructor(application: Application) {
    this.#application = application;
    this.origin = application.portalUrl;
  }

  get cookieName(): string {
    return hostCookieName('session', this.origin);
  }

  /** The same browser session in another place: a copy of the cookie, with nothing shared afterwards. */
  copy(cookie = this.cookie): PortalClient {
    const copy = new PortalClient(this.#application);
    copy.cookie = cookie;
    return copy;
  }

  /** Sends one HTTP request, as a page of the portal would. A header given as '' is left out. */
  async fetch(path: string, { headers = {}, ...init }: Omit<RequestInit, 'headers'> & { headers?: Headers_ } = {}): Promise<Response> {
    const browserCookie = hostCookieName('browser', this.origin);
    const cookies = [
      ...(this.cookie === undefined ? [] : [`${this.cookieName}=${this.cookie}`]),
      ...(this.browser === undefined ? [] : [`${browserCookie}=${this.browser}`]),
    ];
    const sent = { origin: this.origin, ...(cookies.length > 0 && { cookie: cookies.join('; ') }), ...headers };
    const response = await fetch(new URL(path, this.origin), {
      redirect: 'manual',
      ...init,
      headers: Object.entries(sent).filter(([, value]) => value !== ''),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, value] = /^([^=]+)=([^;]*)/.exec(line)?.slice(1) ?? [];
      if (line.startsWith(`${this.cookieName}=`)) this.cookie = value === '' ? undefined : value;
      if (line.startsWith(`${browserCookie}=`)) this.browser = value;
    }
    return response;
  }

  /** Sends one document; the answer may carry data, errors or both. */
  async graphql<Data>(query: string, variables: Record<string, unknown> = {}, headers: Headers_ = {}): Promise<Answer<Data>> {
    const response = await this.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables, ...(this.asOwner !== undefined && { extensions: { asOwner: this.asOwner } }) }),
    });
    const text = await response.text();
    const body = JSON.parse(text) as { data?: Data | null; errors?: PortalError[] };
    return { status: response.status, headers: response.headers, text, data: body.data ?? null, errors: body.errors ?? [] };
  }

  /** Calls one operation of `documents`; returns its result, or null with the errors. */
  async call<Result>(
    operation: keyof typeof documents,
    variables: Record<string, unknown> = {},
    headers: Headers_ = {},
  ): Promise<Answer<Result>> {
    const answer = await this.graphql<Record<string, Result>>(documents[operation], variables, headers);
    return { ...answer, data: answer.data?.[operation] ?? null };
  }

  /** Like `call`, but for what must succeed. */
  async must<Result>(operation: keyof typeof documents, variables: Record<string, unknown> = {}): Promise<Result> {
    const { data, errors } = await this.call<Result>(operation, variables);
    if (errors.length > 0) throw new Error(`${operation}: ${JSON.stringify(errors)}`);
    return data as Result;
  }

  /** The mails to an address, newest first, after all that are queued have been sent. */
  async mails(recipient = this.email): Promise<Mail[]> {
    await this.#application.work();
    const response = await this.fetch('/dev/mailbox', { headers: { accept: 'application/json' } });
    return ((await response.json()) as Mail[]).filter((mail) => mail.recipient === recipient);
  }

  /** Asks for a link and reads its token from the mailbox. */
  async verificationToken(email: string): Promise<string> {
    this.email = email;
    // A test file may have more operators than one address may register in an hour.
    await this.#application.rows("delete from attempt_window where kind = 'registration_ip'");
    await this.must('requestRegistration', { input: { email } });
    const token = /#token=([\w-]+)/.exec((await this.mails())[0]?.text ?? '')?.[1];
    if (token === undefined) throw new Error('The newest mail holds no link.');
    return token;
  }

  /** Registers up to the point where a passkey can be enrolled. */
  async beginEnrolment(email = `${randomBytes(6).toString('hex')}@example.com`): Promise<Viewer> {
    const token = await this.verificationToken(email);
    return this.must<Viewer>('confirmRegistration', { input: { token } });
  }

  creationOptions(): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return this.must('beginPasskeyRegistration');
  }

  enrol(response: unknown, name = 'This computer'): Promise<Answer<{ viewer: Viewer; recoveryCodes: string[] }>> {
    return this.call('finishPasskeyRegistration', { input: { response, name } });
  }

  /** Registers a new operator with a passkey and stays signed in. */
  async registerOperator(email?: string): Promise<Viewer> {
    await this.beginEnrolment(email);
    const { data, errors } = await this.enrol(this.passkey.create(await this.creationOptions(), this.origin));
    if (!data) throw new Error(JSON.stringify(errors));
    this.recoveryCodes = data.recoveryCodes;
    return data.viewer;
  }

  async signIn(): Promise<Viewer> {
    const options = await this.must<PublicKeyCredentialRequestOptionsJSON>('beginSignIn');
    return this.must('finishSignIn', { input: { response: this.passkey.get(options, this.origin) } });
  }

  /** The same operator signed in to another browser, which has a session of its own; with `confirmed`, freshly confirmed. */
  async elsewhere({ confirmed = false } = {}): Promise<PortalClient> {
    const { cookie } = this;
    this.cookie = undefined;
    await this.signIn();
    if (confirmed) await this.confirmFreshly();
    const other = this.copy();
    other.passkey = this.passkey;
    this.cookie = cookie;
    return other;
  }

  /** Makes a fresh passkey confirmation, which holds for five minutes. */
  async confirmFreshly(): Promise<Viewer> {
    const options = await this.must<PublicKeyCredentialRequestOptionsJSON>('beginPasskeyConfirmation');
    const response: AuthenticationResponseJSON = this.passkey.get(options, this.origin);
    return this.must('finishPasskeyConfirmation', { input: { response } });
  }

  acceptTerms(version = 1): Promise<Viewer> {
    return this.must('acceptTerms', { input: { version, nonCommercial: true, attribution: true } });
  }

  viewer(headers: Headers_ = {}): Promise<Answer<Viewer>> {
    return this.call('viewer', {}, headers);
  }

  tryCreateIntegration(overrides: Record<string, unknown> = {}): Promise<Answer<IntegrationData>> {
    return this.call('createIntegration', { input: goodProfile(overrides) });
  }

  /** Accepts the terms and creates an integration. */
  async createIntegration(overrides: Record<string, unknown> = {}): Promise<IntegrationData & { clientId: string; commonName: string }> {
    await this.acceptTerms();
    const { data, errors } = await this.tryCreateIntegration(overrides);
    const client = data?.clients[0];
    if (!data || !client) throw new Error(JSON.stringify(errors));
    return { ...data, clientId: client.id, commonName: client.commonName };
  }

  requestCertificate(
    { clientId, commonName }: { clientId: string; commonName: string },
    key?: KeyObject,
  ): Promise<Answer<CertificateData>> {
    return this.call('requestCertificate', { input: { clientId, csr: requestFor(commonName, key) } });
  }

  requestP12(clientId: string): Promise<Answer<{ certificate: CertificateData; claimToken: string }>> {
    return this.call('requestP12', { input: { clientId } });
  }

  claimP12(certificateId: string, token: string): Promise<Answer<{ fileName: string; package: string; password: string }>> {
    return this.call('claimP12', { input: { certificateId, token } });
  }

  revokeCertificate(certificateId: string, reason = 'superseded'): Promise<Answer<CertificateData>> {
    return this.call('revokeCertificate', { input: { certificateId, reason } });
  }

  /** Requests a certificate with a fresh confirmation and waits for its issuance. */
  async issuedCertificate(client: { slug: string; clientId: string; commonName: string }, key?: KeyObject): Promise<CertificateData> {
    await this.confirmFreshly();
    const { data, errors } = await this.requestCertificate(client, key);
    if (!data) throw new Error(JSON.stringify(errors));
    await this.#application.work();
    const issued = (await this.certificates(client.slug)).find(({ id }) => id === data.id);
    if (issued?.status !== 'issued') throw new Error(`The certificate is ${issued?.status}.`);
    return issued;
  }

  /** The first page of the sandbox's certificates: those in use first, then newest first. */
  async certificates(slug: string): Promise<CertificateData[]> {
    const { clients } = await this.must<IntegrationData>('integration', { slug });
    const { edges } = await this.must<{ edges: { node: CertificateData }[] }>('certificates', { clientId: clients[0]?.id });
    return edges.map(({ node }) => node);
  }
}

/** The error codes of an answer. */
export const codesOf = ({ errors }: { errors: readonly PortalError[] }): string[] => errors.map(({ extensions }) => extensions.code);

/** The fields that an answer refuses, each with the message. */
export const fieldsOf = ({ errors }: { errors: readonly PortalError[] }): Record<string, string> =>
  Object.fromEntries(errors.flatMap(({ extensions }) => extensions.fields ?? []).map(({ path, message }) => [path, message]));
