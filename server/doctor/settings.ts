import { wrong, type Finding } from './finding.ts';

const makeKey = 'Make one by (umask 077; openssl rand -hex 32 > FILE), and name that file in';
const ownPair = 'Name the file of the certificate with its chain (certbot calls it fullchain.pem), and that of its key.';

/** What to do about a variable, where its rule does not say it. */
const remedies: Readonly<Record<string, string>> = {
  DATABASE_URL: 'Write postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=FILE; docs/operating.md has all of it.',
  MIGRATION_DATABASE_URL: 'Write the URL of the role that owns the schema (oi_owner, docs/operating/install.md).',
  MASTER_KEY: `${makeKey} MASTER_KEY_FILE. If this installation has run before, bring its key back instead.`,
  SIGNING_KEY: `${makeKey} SIGNING_KEY_FILE. If this installation has run before, bring its key back instead.`,
  SMTP_URL: 'Write smtps://user:password@host, with percent-encoded parts.',
  MAIL_FROM: 'Write an address of a domain of yours, such as Integrations <no-reply@example.com>.',
  PORTAL_URL: 'Write the address that people type, such as https://operators.example.com.',
  MACHINE_API_URL: 'Write the address that operators’ programs call, such as https://api.example.com.',
  APP_URL: 'Write the address of your app, such as https://app.example.com.',
  TRUSTED_PROXIES: 'Write none, or the addresses of your proxies, such as 10.0.0.2.',
  TRUSTED_BALANCERS: 'Write none, or the addresses of your balancers, such as 10.0.0.2.',
  SUPPORT_CONTACT: 'Write an email address, or the https:// address of a page.',
  MACHINE_TLS_CERT_FILE: ownPair,
  MACHINE_TLS_KEY_FILE: ownPair,
  PORTAL_TLS_CERT_FILE: ownPair,
  PORTAL_TLS_KEY_FILE: ownPair,
  ACME_DIR: 'Name a folder that belongs to the service’s account, such as /etc/operator-integration-service/acme.',
  ACME_AGREE_TO_TERMS: 'Read the terms, and write true if you agree: those of Let’s Encrypt are at https://letsencrypt.org/repository.',
  ACME_SERVER: 'Leave it out for Let’s Encrypt, or write the URL of your authority’s directory.',
  DATA_DIR: 'Name a folder of the service’s own, such as /var/lib/operator-integration-service; or write DATABASE_URL.',
};

/** What is wrong with the variables, each with its remedy. */
export function examineSettings(problems: readonly string[]): Finding[] {
  return problems.map((problem) => wrong(problem, remedyOf(problem)));
}

function remedyOf(problem: string): string {
  const [variable = ''] = problem.split(':');
  if (problem.includes('is not a variable')) return 'Correct its name, or take it away.';
  if (problem.includes('may not read the file'))
    return 'Give the file to the group of the account (chgrp), and let that read it (chmod 640).';
  if (problem.includes('must not lie in')) return 'Put it into another folder, such as /etc/operator-integration-service.';
  return (
    remedies[variable] ?? remedies[variable.replace(/(_PREVIOUS)?(_FILE)?$/, '')] ?? 'Correct it; .env.example describes every variable.'
  );
}
