import { createServiceToken } from '../../../server/domain/access/createServiceToken.ts';
import { grantRole } from '../../../server/domain/programme/grantRole.ts';
import { allServicePermissions, type ServicePermission } from '../../../server/domain/access/servicePermissions.ts';
import type { PortalWorld } from '../world/openWorld.ts';
import { PortalClient } from './portalClient.ts';

const terminal = { type: 'system', name: 'terminal' } as const;

/** A program of the order-tracking service: it sends its token, no cookie and no Origin. */
export class ToolingClient extends PortalClient {
  readonly token: string;
  readonly tokenId: string;

  constructor(application: PortalWorld, token: string, tokenId = '') {
    super(application);
    this.token = token;
    this.tokenId = tokenId;
  }

  override copy(): PortalClient {
    return this;
  }

  override fetch(path: string, { headers = {}, ...init }: Parameters<PortalClient['fetch']>[1] = {}): Promise<Response> {
    return super.fetch(path, { ...init, headers: { origin: '', authorization: `Bearer ${this.token}`, ...headers } });
  }
}

type Tooling = { environment?: 'sandbox' | 'production'; permissions?: readonly ServicePermission[]; expiresInDays?: number };

/** A program with a new token, for the sandbox and with all permissions unless specified otherwise. */
export async function toolingClient(
  application: PortalWorld,
  { environment = 'sandbox', permissions = allServicePermissions, expiresInDays }: Tooling = {},
): Promise<ToolingClient> {
  const { token, serviceToken } = await createServiceToken(application.orm.em.fork(), {
    actor: terminal,
    input: { name: 'A program', environment, permissions, expiresInDays },
    now: application.clock.now(),
  });
  return new ToolingClient(application, token, serviceToken.id);
}

/** A signed-in administrator. */
export async function administrator(application: PortalWorld, email?: string): Promise<PortalClient> {
  const client = await application.operator(email);
  await grantRole(application.orm.em.fork(), { actor: terminal, email: client.email, role: 'administrator', now: application.clock.now() });
  return client;
}
