import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import { chainFrom } from './authorities.ts';

/**
 * The PEM bundle of one of the operator's certificates: the leaf first, then the public CA chain, and never a private key
 * (docs/specification.md, “Certificate issuance”). Errors: not_found, also while it is pending.
 */
export async function certificateBundle(
  em: EntityManager,
  { operatorId, certificateId }: { operatorId: string; certificateId: string },
): Promise<{ readonly fileName: string; readonly pem: string }> {
  const [certificate] = await sql<{ pem: string; issuer_id: string; key_name: string }>(
    em,
    `select x.pem, x.issuer_id, x.key_name from certificate x join client k on k.number = x.client_number join integration i on i.id = k.integration_id
      where x.id = $1 and i.operator_id = $2 and x.pem is not null`,
    [certificateId, operatorId],
  );
  if (!certificate) throw new DomainError('not_found', { detail: 'There is no such certificate, or it has not been issued yet.' });
  const chain = [certificate.pem, ...(await chainFrom(em, certificate.issuer_id))];
  return { fileName: `${certificate.key_name}.pem`, pem: chain.map((pem) => `${pem.trim()}\n`).join('') };
}
