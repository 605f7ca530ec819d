import { X509Certificate } from 'node:crypto';
import { serverCertificateLifetime, serverCertificateRemaining } from '../metrics.ts';

/** Brings the metrics of the machine API's own certificate up to date, as callers are shown it. */
export function observeServerCertificate({ certPem }: { readonly certPem: string }, now: Date): void {
  const { validFromDate, validToDate } = new X509Certificate(certPem);
  serverCertificateRemaining.set((validToDate.getTime() - now.getTime()) / 1000);
  serverCertificateLifetime.set((validToDate.getTime() - validFromDate.getTime()) / 1000);
}
