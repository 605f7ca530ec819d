import 'reflect-metadata';
import { CRLDistributionPointsExtension, X509Certificate, X509Crl } from '@peculiar/x509';
import { expectThat } from '../Surprise.ts';
import { fetchFrom } from './portalChecks.ts';

const certificatePem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The revocation list that the client's certificate names can be read without a session, is signed by the certificate's issuer, has not ended, and does not
 * contain the certificate. `chain` is the certificate with its issuer, in PEM.
 */
export async function checkCrl(chain: string, now: Date): Promise<string> {
  const [certificate, issuer] = (chain.match(certificatePem) ?? []).map((pem) => new X509Certificate(pem));
  expectThat(certificate !== undefined && issuer !== undefined, 'The file with the certificate does not contain its issuer as well.');
  const [point] = certificate.getExtension(CRLDistributionPointsExtension)?.distributionPoints ?? [];
  const url = point?.distributionPoint?.fullName?.[0]?.uniformResourceIdentifier;
  expectThat(url !== undefined, 'The certificate names no revocation list.');
  const response = await fetchFrom(url);
  expectThat(response.status === 200, `There is no revocation list at ${url}.`, { status: response.status });
  const list = new X509Crl(await response.arrayBuffer());
  expectThat(await list.verify({ publicKey: issuer }), 'The revocation list is not signed by the issuer of the certificate.');
  expectThat(list.nextUpdate !== undefined && list.nextUpdate > now, 'The revocation list has ended: look at the job publishCrls.');
  expectThat(list.findRevoked(certificate.serialNumber) === null, 'The certificate is on the revocation list.');
  return `${list.entries.length} entries, good until ${list.nextUpdate.toISOString()}`;
}
