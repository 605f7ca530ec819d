import { X509Certificate } from 'node:crypto';
import { serverCertificateRemaining } from '../metrics.ts';

/** Brings the metric of the machine API's own certificate up to date, as callers are shown it. */
export function observeServerCertificate({ certPem }: { readonly certPem: string }, now: Date): void {
  serverCertificateRemaining.set((new X509Certificate(certPem).validToDate.getTime() - now.getTime()) / 1000);
}
