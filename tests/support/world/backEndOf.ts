import type { MachineClient } from '../clients/machineClient.ts';
import { newKey, type CertificateData, type IntegrationData, type PortalClient } from '../clients/portalClient.ts';
import type { MachineWorld, PortalWorld } from './openWorld.ts';

/** An operator's back end at the machine API, with a certificate that the owner has just requested and downloaded at the portal. */
export async function backEndOf(
  world: PortalWorld & MachineWorld,
  owner: PortalClient,
  slug: string,
  environment: 'sandbox' | 'production',
  api = world.api,
): Promise<MachineClient> {
  const clientOf = async () => {
    const { clients } = await owner.must<IntegrationData>('integration', { slug });
    const client = clients.find((each) => each.environment === environment);
    if (!client) throw new Error(`${slug} has no ${environment} client.`);
    return client;
  };
  const key = newKey();
  const { id, commonName } = await clientOf();
  await owner.confirmFreshly();
  const { data, errors } = await owner.requestCertificate({ clientId: id, commonName }, key);
  if (!data) throw new Error(JSON.stringify(errors));
  await world.work();
  const issued = (await clientOf()).certificatesInUse.find((each: CertificateData) => each.id === data.id);
  const certPem = await (await owner.fetch(issued?.bundlePath ?? '')).text();
  return world.connect({ certPem, keyPem: key.export({ format: 'pem', type: 'pkcs8' }).toString() }, api);
}
