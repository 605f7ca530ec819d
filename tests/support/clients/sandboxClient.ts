import { redeemLinkCode } from '../../../server/domain/sharing/link-code/redeemLinkCode.ts';
import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import type { PortalWorld } from '../world/openWorld.ts';
import type { Answer, PortalClient } from './portalClient.ts';
import type { documents } from './portalDocuments.ts';

export type ResourceData = {
  id: string;
  type: 'order' | 'vehicle';
  connectionId: string;
  status: string | null;
  model: string | null;
  market: string | null;
  revision: number;
  updatedAt: string;
  revoked: boolean;
  onVoyage: boolean;
};
export type ChangeData = {
  resourceId: string;
  type: string;
  connectionId: string;
  from: string;
  to: string;
  revision: number;
  shown: boolean;
};
export type LinkCodeData = {
  id: string;
  state: string;
  redeemedAt: string | null;
  connectionId: string | null;
  failedAttempts: number;
  orders: number;
  vehicles: number;
  scopes: string[];
  statisticsOptedIn: boolean;
};
type Page<Node> = {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  edges: { cursor: string; node: Node }[];
};

/** An operator's sandbox, as the portal's API shows and changes it. */
export class SandboxClient {
  readonly operator: PortalClient;
  readonly clientId: string;
  readonly slug: string;
  readonly #application: PortalWorld;

  private constructor(application: PortalWorld, operator: PortalClient, { clientId, slug }: { clientId: string; slug: string }) {
    this.#application = application;
    this.operator = operator;
    this.clientId = clientId;
    this.slug = slug;
  }

  /** A new operator whose integration has its first corpus. */
  static async open(application: PortalWorld, requestedScopes: readonly string[], profile: object = {}): Promise<SandboxClient> {
    const operator = await application.operator();
    const integration = await operator.createIntegration({ requestedScopes, ...profile });
    const sandbox = new SandboxClient(application, operator, integration);
    await sandbox.build();
    return sandbox;
  }

  /** Runs the job for the generation that was requested last. */
  build(): Promise<void> {
    return SandboxClient.buildOf(this.#application, this.clientId);
  }

  /** The same for a client whose sandbox is not opened here. */
  static async buildOf(application: PortalWorld, clientId: string): Promise<void> {
    const [corpus] = await application.rows<{ client_number: number; generation: number }>(
      'select client_number, generation from sandbox_corpus s join client c on c.number = s.client_number where c.id = $1 order by generation desc limit 1',
      [clientId],
    );
    await buildSandboxCorpus(application.orm.em.fork(), {
      clientNumber: corpus?.client_number ?? 0,
      generation: corpus?.generation ?? 0,
      clock: application.clock,
    });
  }

  /** The back end redeems a code. */
  async redeem(code: string): ReturnType<typeof redeemLinkCode> {
    const [client] = await this.#application.rows<{ number: number; environment: 'sandbox' }>(
      'select number, environment from client where id = $1',
      [this.clientId],
    );
    return redeemLinkCode(this.#application.orm.em.fork(), {
      actor: { type: 'client', clientId: this.clientId, certificateId: 'crt_test', ip: '127.0.0.1', requestId: 'req_test' },
      client: client ?? { number: 0, environment: 'sandbox' },
      lookupKeys: this.#application.keyRing.lookup,
      code,
      now: this.#application.clock.now(),
    });
  }

  call<Result>(operation: keyof typeof documents, input: Record<string, unknown> = {}): Promise<Answer<Result>> {
    return this.operator.call(operation, { input: { clientId: this.clientId, ...input } });
  }

  must<Result>(operation: keyof typeof documents, input: Record<string, unknown> = {}): Promise<Result> {
    return this.operator.must(operation, { input: { clientId: this.clientId, ...input } });
  }

  page(variables: Record<string, unknown> = {}): Promise<Page<ResourceData>> {
    return this.operator.must('sandboxResources', { clientId: this.clientId, first: 100, ...variables });
  }

  async resources(variables: Record<string, unknown> = {}): Promise<ResourceData[]> {
    return (await this.page(variables)).edges.map(({ node }) => node);
  }

  /** Any live resource in the status. */
  async one(status: string): Promise<ResourceData> {
    const resource = (await this.resources({ status })).find(({ revoked }) => !revoked);
    if (!resource) throw new Error(`No resource is ${status}.`);
    return resource;
  }

  async linkCodes(): Promise<LinkCodeData[]> {
    const page = await this.operator.must<Page<LinkCodeData>>('sandboxLinkCodes', { clientId: this.clientId });
    return page.edges.map(({ node }) => node);
  }

  /** What is stored of a shared resource. */
  async stored(
    resourceId: string,
  ): Promise<{ core: Record<string, unknown>; shipping: Record<string, unknown> | null; sequences: number[] }> {
    const [row] = await this.#application.rows<{ core: string; shipping: string | null; sequences: string[] }>(
      `select t.core, t.shipping, array(select sequence from tracked_change h where h.tracked_resource_id = t.id order by 1) as sequences
         from shared_resource s join tracked_resource t on t.id = s.tracked_resource_id where s.id = $1`,
      [resourceId],
    );
    return {
      core: JSON.parse(row?.core ?? '{}') as Record<string, unknown>,
      shipping: row?.shipping ? (JSON.parse(row.shipping) as Record<string, unknown>) : null,
      sequences: (row?.sequences ?? []).map(Number),
    };
  }
}
