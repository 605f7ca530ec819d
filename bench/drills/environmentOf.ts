import path from 'node:path';
import type { ProcessKind } from './ServiceProcess.ts';

/** What differs between the processes of an installation, and between installations. */
type Variables = {
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly signingKey: Buffer;
  readonly tlsFolder: string;
  readonly portalUrl: string;
  readonly machineApiUrl: string;
  readonly drainSeconds: number;
  readonly port: number;
  readonly metricsPort: number;
  readonly folder: string;
  readonly trustedProxies: string;
};

/** The variables of production, with the mailbox of development, because there is no mail server here. */
export function environmentOf(kind: ProcessKind, variables: Variables): NodeJS.ProcessEnv {
  const {
    databaseUrl,
    masterKey,
    signingKey,
    tlsFolder,
    portalUrl,
    machineApiUrl,
    drainSeconds,
    port,
    metricsPort,
    folder,
    trustedProxies,
  } = variables;
  return {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DATA_DIR: path.join(folder, 'unused'),
    DATABASE_URL: databaseUrl,
    MASTER_KEY: masterKey.toString('hex'),
    PORTAL_URL: portalUrl,
    MACHINE_API_URL: machineApiUrl,
    APP_URL: 'https://app.example.com',
    SUPPORT_CONTACT: 'support@example.com',
    TRUSTED_PROXIES: trustedProxies,
    TRUSTED_BALANCERS: '127.0.0.1',
    METRICS_PORT: String(metricsPort),
    DRAIN_SECONDS: String(drainSeconds),
    ALLOW_DEVELOPMENT_MAILBOX: 'true',
    PORTAL_PORT: String(port),
    MACHINE_API_PORT: String(port),
    MACHINE_TLS_CERT_FILE: path.join(tlsFolder, 'server.pem'),
    MACHINE_TLS_KEY_FILE: path.join(tlsFolder, 'server.key'),
    ...(kind === 'workers' && { SIGNING_KEY: signingKey.toString('hex') }),
  };
}
