import { limits } from '../../server/domain/shared/limits.ts';
import type { Answer, Call } from '../Operation.ts';

/** GET /v1/capabilities: environment, status, scopes, quotas with their approved overrides, and whether production data is enabled. */
export function getCapabilities({ client, certificate }: Call): Answer {
  return {
    body: {
      environment: client.environment,
      client_id: client.id,
      integration_id: client.integrationId,
      integration_status: client.integrationStatus,
      profile_version: client.profileVersion,
      scopes: client.scopes,
      quotas: {
        ...client.quotas,
        records_per_response: limits.recordsPerResponse,
        response_bytes: limits.responseBytes,
        statistics_response_bytes: limits.statisticsResponseBytes,
      },
      overrides: client.overrides,
      production_data_enabled: client.productionDataEnabled,
      certificate: {
        id: client.certificateId,
        serial: certificate.serial,
        fingerprint_sha256: certificate.fingerprintSha256,
        expires_at: client.certificateUsableUntil,
      },
    },
  };
}
