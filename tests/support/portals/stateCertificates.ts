import type { TestCertificate } from '../world/Fixtures.ts';
import type { PortalWorld } from '../world/openWorld.ts';

type Held = { readonly clientNumber: number; readonly issuedAt: Date; readonly endsAt: Date; readonly revokedAt: Date | null };

/** The client's only certificate, which the owner of its integration requested, in the client's first slot unless it was revoked. */
export async function heldCertificate(
  application: PortalWorld,
  { clientNumber, issuedAt, endsAt, revokedAt }: Held,
): Promise<TestCertificate & { readonly commonName: string; readonly clientId: string }> {
  const [client] = await application.rows<{
    id: string;
    environment: 'sandbox' | 'production';
    operatorId: string;
    integrationId: string;
  }>(
    `select c.id, c.environment, i.operator_id as "operatorId", i.id as "integrationId"
       from client c join integration i on i.id = c.integration_id where c.number = $1`,
    [clientNumber],
  );
  if (!client) throw new Error(`There is no client ${clientNumber}.`);
  const commonName = `svc:${client.environment}:${client.id}`;
  const certificate = await application.fixtures.certificate(
    application.authority,
    { number: clientNumber, commonName, ...client },
    { notBefore: issuedAt, notAfter: endsAt },
  );
  await application.rows('update certificate set key_name = $2 where id = $1', [
    certificate.id,
    `${client.environment}-${issuedAt.toISOString().slice(0, 7)}`,
  ]);
  await application.rows(
    revokedAt
      ? "update certificate set status = 'revoked', revoked_at = $2, revocation_reason = 'cessation_of_operation' where id = $1"
      : 'update certificate set slot = 1 where id = $1 and $2::timestamptz is null',
    [certificate.id, revokedAt],
  );
  return { ...certificate, commonName, clientId: client.id };
}
